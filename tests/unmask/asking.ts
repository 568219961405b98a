/** Asks the site as a browser does; what it refuses is an error with the answer's status. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status} ${text.slice(0, 160)}`)
  }
}

export type Ask = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds; a wrong one fails where it is used.
) => Promise<any>

export const askerOf =
  (url: string): Ask =>
  async (method, path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Refused(answer.status, text)
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
  }
