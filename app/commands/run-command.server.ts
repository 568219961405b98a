/**
 * Runs a command with this process's words, and prints what it returns. `--help` prints its usage.
 * @param work returns undefined for words that it doesn't understand, which ends with 2
 */
export async function runCommand(
  usage: string,
  work: (words: string[]) => Promise<string | undefined> | undefined,
  words = process.argv.slice(2),
) {
  if (words.includes('--help')) return console.log(usage)
  try {
    const working = work(words)
    if (!working) {
      const problem =
        words.length > 0 ? `We don’t understand “${words.join(' ')}”.` : 'Something is missing.'
      console.error(`${problem} You can use:\n\n${usage}`)
      process.exitCode = 2
    }
    const said = await working
    if (said) console.log(said)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
