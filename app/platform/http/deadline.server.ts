/**
 * Resolves like `work`, if in time. Answers that arrived while the process was too busy to read them still count.
 * @throws what `lateness` makes otherwise
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
