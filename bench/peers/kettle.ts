/** This site, with RATE_LIMITS=off, PROOF_OF_WORK=0 and AUTH_AUTOCONFIRM=true. */
import { randomUUID } from 'node:crypto'
import { threadPath } from '../../app/community/discussions/discussion.ts'
import { BURST_POSTS } from '../../app/community/reports/report.ts'
import { type Forum, send } from './forum.ts'

const PASSWORD = 'correct horse 9'

export async function kettle(site: string): Promise<Forum> {
  const titles = new Map<string, string>()
  return {
    async signUp(n) {
      const { said } = await send(`${site}/auth/v1/signup`, {
        json: { email: `peer-${process.pid}-${n}@people.example`, password: PASSWORD },
      })
      return { authorization: `Bearer ${said.access_token}` }
    },
    postsEach: BURST_POSTS - 1,
    async startThread(by, post) {
      const { said } = await send(`${site}/api/v1/threads`, {
        by,
        json: { ...post, sending: randomUUID() },
      })
      titles.set(String(said.id), post.title)
      return String(said.id)
    },
    async reply(by, thread, body) {
      await send(`${site}/api/v1/threads/${thread}/comments`, {
        by,
        json: { body, sending: randomUUID() },
      })
    },
    async vote(by, thread) {
      await send(`${site}/api/v1/threads/${thread}/vote`, { by, method: 'PUT', json: { vote: 1 } })
    },
    pages: {
      home: '/',
      list: '/discussions',
      search: (word) => `/api/v1/threads?search=${word}`,
    },
    async thread(id) {
      const api = `/api/v1/threads/${id}`
      return {
        page: threadPath({ id, title: titles.get(id) as string }),
        json: [api, `${api}/comments`],
        personal: [`/api/v1/my-page?thread=${id}`],
      }
    },
  }
}
