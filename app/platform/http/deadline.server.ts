/**
 * What `work` answers, if it does within so long. What came while this process was too busy to look
 * counts: it is read before the time is called up.
 * @throws what `lateness` makes, when nothing came
 */
export async function withDeadline<Result>(
  work: Promise<Result>,
  milliseconds: number,
  lateness = () => new Error('No answer in time'),
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(lateness())), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
