/** Sends requests as a browser does. A refusal is an error with the response's status. */
import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

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

/** @param agentFor picks the connections. Browsers use separate ones for requests without credentials. */
export const askerOf =
  (url: string, agentFor: (isAnonymous: boolean) => Agent | undefined = () => undefined): Ask =>
  async (method, path, body, headers = {}) => {
    const sent = request(url + path, {
      method,
      agent: agentFor(Object.keys(headers).length === 0 && path.startsWith('/api/')),
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    })
    sent.end(body && JSON.stringify(body))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const said = await text(answer)
    const { statusCode = 0 } = answer
    if (statusCode >= 300) throw new Refused(statusCode, said)
    return said.startsWith('{') || said.startsWith('[') ? JSON.parse(said) : said
  }
