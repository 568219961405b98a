/** The order of what a person does, kept on the way to the server. */

const lastOf = new Map<string, Promise<unknown>>()

/** One after the other for each subject, so that the last press is the last that arrives. */
export function inTurn<Result>(subject: string, send: () => Promise<Result>) {
  const before = lastOf.get(subject) ?? Promise.resolve()
  const turn = before.then(send, send)
  lastOf.set(subject, turn)
  const isLast = () => lastOf.get(subject) === turn
  const done = () => {
    if (isLast()) lastOf.delete(subject)
  }
  // Removed only after those who wait have asked whether they were the last.
  turn.then(
    () => setTimeout(done),
    () => setTimeout(done),
  )
  return { turn, isLast }
}
