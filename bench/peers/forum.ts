/** What a forum answers to, whichever it is: what the comparison asks of each. */

export interface Forum {
  /** @param n of so many people who write and vote; each has an account of their own */
  signUp(n: number): Promise<Person>
  /** Answers the thread's id; everybody can read it at once. */
  startThread(by: Person, post: { title: string; body: string }): Promise<string>
  reply(by: Person, thread: string, body: string): Promise<void>
  vote(by: Person, thread: string): Promise<void>
  /** So many posts of one person in a row are no flood to it. */
  postsEach: number
  /** Addresses of what people read. */
  pages: { home: string; list: string; search(word: string): string }
  thread(id: string): Promise<{
    page: string
    /** Thread and comments for programs. */
    json: string[]
    /** What the page of somebody who is signed in asks for besides, in the same moment. */
    personal: string[]
  }>
}

export type Person = Record<string, string>

/** JSON there and back. @throws unless it went well */
export async function send(
  url: string,
  { by = {}, method = 'POST', json }: { by?: Person; method?: string; json?: unknown },
) {
  const answer = await fetch(url, {
    method,
    headers: { ...by, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`)
  return { answer, said: (text ? JSON.parse(text) : {}) as Record<string, unknown> }
}
