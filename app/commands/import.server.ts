/** npm run import -- FILE: adds companies or jobs from a CSV or JSON file of any size. */
import { stat } from 'node:fs/promises'
import { EDIT_FIELD_NAMES } from '#app/companies/edits/company-edit.ts'
import { REASONS } from '#app/companies/importing/company-matching.ts'
import { ENCODING_NAMES } from '#app/companies/importing/file-reading.ts'
import { type FileFormat, rowsOfFile } from '#app/companies/importing/file-rows.server.ts'
import {
  FILL_FIELDS,
  type FillField,
  fieldCounts,
  fieldNames,
} from '#app/companies/importing/filling.ts'
import { batchesAtOnceOf } from '#app/companies/importing/import-commands.server.ts'
import {
  type FileChoices,
  importFile,
  importOf,
  type KnownImport,
  surveyFile,
} from '#app/companies/importing/import-file-commands.server.ts'
import { formatOfFile, type ImportReport } from '#app/companies/importing/import-report.ts'
import { IMPORT_FIELDS } from '#app/companies/importing/imported-company.ts'
import { ReadingBody } from '#app/companies/importing/imports.contract.ts'
import { importJobs } from '#app/jobs/import/job-import.server.ts'
import { JOB_TABLE } from '#app/jobs/import/read-job.server.ts'
import { counted } from '#app/kit/ui/format.ts'
import { runCommand, WrongWord } from './run-command.server.ts'
import { withSite } from './with-site.server.ts'

const USAGE = `npm run import -- FILE          adds the companies in a .csv, .tsv, .json or .jsonl file
npm run import -- FILE --again  imports a file you’ve already imported
npm run import -- FILE --new    also adds rows that may already be here
npm run import -- FILE --replace=headquarters,founded
                                replaces these fields of companies that are here; others are only filled if empty
npm run import -- FILE --encoding=windows-1252 --separator=";" --titles=3 --list=data.items
                                reads the file like this; what you leave out is recognised
npm run import -- FILE --titles=0 --columns=name,,website
                                reads the columns in this order, here of a file without titles
npm run import -- --jobs FILE   adds jobs to companies on the site, and skips jobs it added before; reads .xml, too

For example: npm run import -- companies.csv`

const BAR_WIDTH = 30

interface Chosen {
  choices?: FileChoices
  isAgain: boolean
  areJobs: boolean
  areNew: boolean
  replaces: FillField[]
}

function run(args: string[]) {
  const isAgain = args.includes('--again')
  const areJobs = args.includes('--jobs')
  const areNew = args.includes('--new')
  const replaced = args.flatMap((arg) => /^--replace=?(.*)/.exec(arg)?.[1]?.split(',') ?? [])
  const replaces = replaced.flatMap((name) => FILL_FIELDS.find((field) => field === name) ?? [])
  if (replaces.length < replaced.length)
    throw new WrongWord(`--replace can have ${FILL_FIELDS.join(', ')}.`)
  const choices = choicesIn(args)
  if (areJobs && (isAgain || areNew || replaced.length > 0 || choices?.columns))
    throw new WrongWord('--again, --new, --replace and --columns are for companies, not jobs.')
  const [path, ...others] = args.filter(
    (arg) => !['--again', '--jobs', '--new'].includes(arg) && !OPTION.test(arg),
  )
  if (!path || others.length > 0) return undefined
  const format = areJobs && /\.xml$/i.test(path) ? 'xml' : formatOfFile(path)
  if (!format) return undefined
  const chosen = { isAgain, areJobs, areNew, replaces, choices }
  return importFrom(path, format, chosen).finally(hideProgress)
}

const OPTION = /^--(?:replace|(?:encoding|separator|titles|list|columns)=)/

const VALUES: Record<string, string> = {
  encoding: ENCODING_NAMES.join(', '),
  separator: 'one character, width or none',
  titles: 'the number of the row with the titles, or 0 without titles',
  list: 'where the rows are in JSON, such as data.items',
}

/** How to read the file. Undefined if that's left to us. */
function choicesIn(args: string[]): FileChoices | undefined {
  const given = (name: string) =>
    args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
  const titles = given('titles')
  const parsed = ReadingBody.safeParse({
    encoding: given('encoding')?.toLowerCase(),
    separator: given('separator')?.replace('\\t', '\t'),
    // Number('') is 0, which means that there are none.
    titles: titles && Number(titles),
    list: given('list'),
  })
  if (!parsed.success) {
    const [wrong = ''] = parsed.error.issues.map(({ path }) => path.join())
    throw new WrongWord(`--${wrong} must be ${VALUES[wrong]}.`)
  }
  const columns = given('columns')
    ?.split(',')
    .map((name) => {
      const field = IMPORT_FIELDS.find((field) => field === name.trim())
      if (!field && name.trim() !== '')
        throw new WrongWord(`--columns can have ${IMPORT_FIELDS.join(', ')}.`)
      return field
    })
  const reading = parsed.data
  const isGiven = Object.values(reading).some((value) => value !== undefined)
  return isGiven || columns
    ? { ...(isGiven && { reading }), ...(columns && { columns }) }
    : undefined
}

async function importFrom(
  path: string,
  format: FileFormat,
  { isAgain, areJobs, areNew, replaces, choices }: Chosen,
) {
  const isThere = await stat(path).then(
    (it) => it.isFile(),
    () => false,
  )
  if (!isThere) return failWith(`File not found: ${path}`)
  const { hash, rows } = await surveyFile(path, format, areJobs ? JOB_TABLE : undefined, choices)

  return withSite(async (ctx, config) => {
    if (areJobs || format === 'xml') {
      const jobs = rowsOfFile(path, format, JOB_TABLE, choices?.reading)
      return printReports(importJobs(ctx, jobs, rows))
    }
    const known = isAgain ? undefined : await importOf(ctx, hash)
    if (known?.isFinished)
      return `You’ve already imported this file: ${countsIn(known)}. Use --again to import it again.`
    if (known) console.log(`Continuing after row ${known.rows} of ${rows}.`)
    const file = { path, format, hash, rows, choices }
    const batchesAtOnce = batchesAtOnceOf(config.databaseConnections)
    const settings = { isAgain, areNew, replaces, batchesAtOnce }
    return printReports(importFile(ctx, file, settings), known)
  })
}

/** @returns the outcome, in a sentence */
async function printReports(reports: AsyncIterable<ImportReport>, known?: KnownImport) {
  let report: ImportReport | undefined
  for await (const next of reports) {
    report = next
    showProgress(next)
    if (isStopping) break
  }
  hideProgress()
  if (report) printSkips(report)
  if (report) printFields(report)
  if (report) printLeftOut(report)
  if (report) printFailures(report)
  if (isStopping) return failWith('Stopped. Run the same command to continue from here.')
  return `Done: ${countsIn(report ?? known ?? { added: 0, skipped: 0, failed: 0 })}.`
}

function failWith(text: string) {
  process.exitCode = 1
  return text
}

const countsIn = ({ added, skipped, failed }: Pick<KnownImport, 'added' | 'skipped' | 'failed'>) =>
  `${added} added, ${skipped} already there, ${failed} failed`

/** Ctrl-C stops after the current batches, so nothing is lost. A second Ctrl-C kills the command immediately. */
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopping = true
  })

/** We don't use a package, because production would need it too. */
function showProgress({ rows, total, added }: ImportReport) {
  if (!process.stdout.isTTY) return
  const filled = Math.round((BAR_WIDTH * rows) / total)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
  process.stdout.write(`\r${bar} ${rows} of ${total} rows, ${added} added`)
}

function hideProgress() {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
}

function printSkips({ skipped, doubtful, skips, doubts }: ImportReport) {
  for (const { row, name, sameAs, changed } of skips)
    console.log(
      `Row ${row}: ${name} is already here as ${sameAs.name}${changed.length > 0 ? `. Changed: ${fieldNames(changed)}` : ''}`,
    )
  const more = skipped - doubtful - skips.length
  if (more > 0)
    console.log(`And ${counted(more, 'more row')} ${more === 1 ? 'is' : 'are'} already here.`)
  for (const { row, name, sameAs, because } of doubts)
    console.log(
      `Row ${row}: ${name} may be ${sameAs.name}, so we left it out. ${REASONS[because]}.`,
    )
  const alike = doubtful - doubts.length
  if (alike > 0)
    console.log(
      `${counted(alike, 'more row')} ${alike === 1 ? 'looks like a company that’s' : 'look like companies that are'} already on the site.`,
    )
  if (doubtful > 0)
    console.log(
      'If they’re different companies, add them with --again --new, or decide on each one in Admin Tools.',
    )
}

function printFields({ fields }: ImportReport) {
  for (const { field, given, filled, replaced, kept } of fieldCounts(fields))
    console.log(
      `${EDIT_FIELD_NAMES[field]}: ${filled} of ${given} filled in, ${replaced} replaced, ${kept} differ and stay`,
    )
}

function printLeftOut({ omittedCount, omittedCells }: ImportReport) {
  for (const { row, field, reason } of omittedCells)
    console.log(`Row ${row}: read without its ${field}. ${reason}`)
  if (omittedCount > omittedCells.length)
    console.log(`And ${omittedCount - omittedCells.length} more cells.`)
}

function printFailures({ failed, failures }: ImportReport) {
  for (const { row, reason } of failures) console.log(`Row ${row}: ${reason}`)
  if (failed > failures.length)
    console.log(`And ${counted(failed - failures.length, 'more row')} failed.`)
}

await runCommand(USAGE, run)
