/** A word on the command line that can't be used, in a sentence. */
export class WrongWord extends Error {}

/**
 * Runs a command with this process's arguments, and prints what it returns. `--help` prints its usage.
 * @param work returns undefined for arguments it doesn't understand, or throws WrongWord. Both end with 2
 */
export async function runCommand(
  usage: string,
  work: (args: string[]) => Promise<string | undefined> | undefined,
  args = process.argv.slice(2),
) {
  if (args.includes('--help')) return console.log(usage)
  try {
    const working = work(args)
    if (!working) {
      const problem =
        args.length > 0 ? `We don’t understand “${args.join(' ')}”.` : 'Something is missing.'
      console.error(`${problem} You can use:\n\n${usage}`)
      process.exitCode = 2
    }
    const said = await working
    if (said) console.log(said)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = error instanceof WrongWord ? 2 : 1
  }
}
