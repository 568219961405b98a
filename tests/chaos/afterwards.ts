/** Once all faults are over: every request gets a response, and the last writes are served. */
import { setTimeout as pause } from 'node:timers/promises'
import { isShown } from './book.ts'
import { type OpenRequest, PASSWORD, type World } from './clients.ts'

const TRIES = 20
const LAST = 3

/** Sends requests again that got no response, to either process. What had already arrived isn't written twice. */
export async function answerAll(world: World, open: OpenRequest[]) {
  const { book, send, sites } = world
  book.counts['sent again at the end'] = open.length
  for (const { request, heard } of open) {
    let answer: Awaited<ReturnType<typeof send>>
    for (let tried = 0; !answer && tried < TRIES; tried++) {
      answer = await send(tried % sites, request, 'again')
      if (answer) heard(answer, tried % sites)
      else await pause(500)
    }
    if (!answer) book.find(`${request.what} has no answer, though all is well`, request.mark)
  }
}

/** Looks at each process as people do: threads open, and everyone who signed up can sign in. */
export async function lookAtLast({ book, send, sites }: World) {
  const threads = book.posts.filter((post) => post.kind === 'thread' && isShown(post)).slice(-LAST)
  for (let site = 0; site < sites; site++) {
    for (const { path, mark } of threads) {
      const page = await send(site, { what: 'GET last thread', method: 'GET', path, mark }, 'look')
      if (!page?.text.includes(mark))
        book.find(`A thread that was acknowledged is not served`, mark)
    }
    for (const { email } of book.signUps.slice(-LAST)) {
      const path = '/auth/v1/token?grant_type=password'
      const body = { email, password: PASSWORD }
      const session = await send(site, { what: 'POST token', method: 'POST', path, body }, 'look')
      if (!session) book.find('Whoever signed up cannot sign in')
    }
  }
}
