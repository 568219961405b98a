/** Sends requests as if from many people, each on a new connection, so any process may get them. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { solveChallenge } from 'altcha-lib/v1'

export interface Answered {
  status: number
  text: string
  retryAfter: string | undefined
}

/** A GET, or with `body` a JSON POST. */
export function ask(
  url: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: body ? 'POST' : 'GET',
        agent: false,
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      },
      (answer) =>
        text(answer).then(
          (text) =>
            resolve({
              status: answer.statusCode as number,
              text,
              retryAfter: answer.headers['retry-after'],
            }),
          reject,
        ),
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

export function statuses(answers: Answered[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The spam check's solution, which a visitor's browser computes before posting. */
export async function solvedSpamCheck(site: string): Promise<string> {
  const { algorithm, challenge, salt, signature, maxnumber } = JSON.parse(
    (await ask(`${site}/api/v1/challenge`)).text,
  )
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
  const solved = { algorithm, challenge, salt, signature, number: solution?.number }
  return Buffer.from(JSON.stringify(solved)).toString('base64')
}
