/** Mutants: Stryker changes the files in `mutated.ts` in every way it knows, and runs their tests. */
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How a mutant that a test could notice was noticed. */
const SEEN = ['Killed', 'Timeout']
const UNSEEN = ['Survived', 'NoCoverage']

type Mutant = {
  status: string
  fileName: string
  location: { start: { line: number; column: number } }
  mutatorName: string
  replacement?: string
}

export type MutatedFile = { file: string; seen: number; unseen: string[] }

/** Which mutants of `files` the tests notice. */
export async function mutate(files: string[]): Promise<MutatedFile[]> {
  // Imported by path from its own folder, which the command installs first, so TypeScript needn't know it.
  const core = resolve('tests/faults/node_modules/@stryker-mutator/core/dist/src/index.js')
  const { Stryker } = await import(pathToFileURL(core).href)
  const mutants: Mutant[] = await new Stryker({
    mutate: files,
    testRunner: 'vitest',
    vitest: { configFile: 'tests/faults/vitest.config.ts' },
    // Code that runs once when a file loads would need a process for each mutant.
    ignoreStatic: true,
    // TypeScript 7 has no JavaScript API with which Stryker could read our configuration.
    tsconfigFile: 'none',
    tempDirName: 'dist/mutants',
    ignorePatterns: ['/bench', '/data', '/deploy', '/dist', '/docs/images'],
    reporters: ['progress'],
  }).runMutationTest()

  return files.map((file) => {
    const own = mutants.filter(({ fileName }) => relative('', fileName) === file)
    const unseen = own.filter(({ status }) => UNSEEN.includes(status)).map(descriptionOf)
    return { file, seen: own.filter(({ status }) => SEEN.includes(status)).length, unseen }
  })
}

const descriptionOf = ({ location, mutatorName, replacement = '' }: Mutant) =>
  `${location.start.line}:${location.start.column} ${mutatorName} → ${replacement.slice(0, 80)}`
