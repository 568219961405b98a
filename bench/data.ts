/**
 * npm run bench:data -- --companies 1000000 [--threads 2000000] [--seed 1] [--database URL]: fills an
 * empty database. Each thread brings five comments; two million take some twenty minutes.
 */
import { parseArgs } from 'node:util'
import { DataRefused, fill } from './data/fill.ts'

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    threads: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string' },
  },
})

const wholeNumber = (name: string, text: string) => {
  if (!/^\d{1,9}$/.test(text))
    throw new DataRefused(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

try {
  const url = values.database ?? process.env.DATABASE_URL
  if (!url)
    throw new DataRefused(
      'Which PostgreSQL? Give --database postgresql://… or set DATABASE_URL. ' +
        'It must be one whose data you can do without: bench data is not for a site in use.',
    )
  await fill({
    url,
    companies: wholeNumber('companies', values.companies),
    threads: wholeNumber('threads', values.threads),
    seed: wholeNumber('seed', values.seed),
  })
} catch (error) {
  if (!(error instanceof DataRefused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
