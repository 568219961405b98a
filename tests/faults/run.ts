import { mutate } from './mutants.ts'
import { mutated } from './mutated.ts'
import { PLANTED, plantFaults } from './planted.ts'

/** The percentage that must be noticed. Some mutants behave exactly like the original. */
const LEAST = { mutants: 95, planted: 100 }
type Part = keyof typeof LEAST

const { only, words }: { only?: string; words: string[] } = JSON.parse(process.argv[2] ?? '')
const [word = ''] = words
if (only && !(only in LEAST)) {
  console.error(`The parts are ${Object.keys(LEAST).join(', ')}.`)
  process.exit(2)
}
const table: Record<string, { faults: number; seen: number; 'in 100': number; least?: number }> = {}
const isChosen = (part: Part) => !only || only === part

const files = Object.keys(mutated).filter((file) => file.includes(word))
if (isChosen('mutants') && files.length > 0) {
  const results = await mutate(files)
  for (const { file, seen, unseen } of results) {
    for (const mutant of unseen) console.log(`SURVIVED  ${file}:${mutant}`)
    table[file] = row(seen + unseen.length, seen)
  }
  const seen = results.reduce((sum, it) => sum + it.seen, 0)
  const unseen = results.reduce((sum, it) => sum + it.unseen.length, 0)
  conclude('mutants', seen + unseen, seen)
}

const faults = PLANTED.filter(([name, file]) => `${name} ${file}`.includes(word))
if (isChosen('planted') && faults.length > 0) {
  conclude('planted', faults.length, plantFaults(faults))
}
console.table(table)

function conclude(part: Part, count: number, seen: number) {
  table[part.toUpperCase()] = { ...row(count, seen), least: LEAST[part] }
  if (100 * seen < LEAST[part] * count) process.exitCode = 1
}

function row(count: number, seen: number) {
  return { faults: count, seen, 'in 100': count === 0 ? 100 : Math.floor((100 * seen) / count) }
}
