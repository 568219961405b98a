// What can follow `npm run NAME --`. --help prints it and ends with 0. Anything else that isn't listed ends with 2.

import { parseArgs } from 'node:util'

/**
 * Reads this process's words before anything is installed or built.
 * @param command.name after `npm run`, or a script that only `node` runs
 * @param command.does what it's for, in a sentence or two
 * @param command.options each with `says`; `number` is a whole number's default or null, `word` what any text is called, and
 * without either it's a switch
 * @param command.words what its other words are called, if it takes any
 * @param command.example a whole line that works
 * @returns the options by name, and the other words
 */
export function readCommand({ name, does, options = {}, words, example }) {
  const run = { start: 'npm start', test: 'npm test' }[name] ?? `npm run ${name}`
  const [line, dashes] = name.endsWith('.mjs') ? [`node scripts/${name}`, ''] : [run, ' --']
  const known = { ...options, help: { says: 'prints this' } }
  const isSwitch = ({ number, word }) => number === undefined && word === undefined
  const wrong = (problem) => {
    console.error(`${problem}. ${line}${dashes} --help lists what you can use.`)
    process.exit(2)
  }
  const parsed = () => {
    try {
      return parseArgs({
        allowPositionals: words !== undefined,
        options: Object.fromEntries(
          Object.entries(known).map(([option, it]) => [
            option,
            { type: isSwitch(it) ? 'boolean' : 'string', ...(it.short && { short: it.short }) },
          ]),
        ),
      })
    } catch (error) {
      if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error
      return wrong(error.message.split(/[.\n]/)[0])
    }
  }
  const { values, positionals } = parsed()
  if (values.help) {
    const rows = Object.entries(known).map(([option, it]) => [
      `${it.short ? `-${it.short}, ` : ''}--${option}${isSwitch(it) ? '' : ` ${it.word ?? 'N'}`}`,
      it.says + (it.number == null ? '' : ` (${it.number} by default)`),
    ])
    const width = Math.max(...rows.map(([option]) => option.length)) + 2
    console.log(
      [
        `${line}${dashes} [options]${words ? ` ${words}` : ''}\n\n${does}\n`,
        ...rows.map(([option, says]) => `  ${option.padEnd(width)}${says}`),
        `\nFor example: ${example ?? line}`,
      ].join('\n'),
    )
    process.exit(0)
  }
  for (const [option, { number, least = 0 }] of Object.entries(options)) {
    if (number === undefined || (number === null && values[option] === undefined)) continue
    const given = Number(values[option] ?? number)
    if (!Number.isSafeInteger(given) || given < least)
      wrong(`--${option} must be a whole number${least ? ` from ${least}` : ''}`)
    values[option] = given
  }
  return { ...values, words: positionals }
}
