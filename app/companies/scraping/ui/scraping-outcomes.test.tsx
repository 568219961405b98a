/** What a run of the scraper and an import say, from beginning to end. Spec §2.14, §4, §8. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { ImportOutcome, ResultsEditor } from '../admin-tools.screen.tsx'
import { runScraper, sendCompanies } from '../scraping.data.ts'
import type { ScraperState } from '../scraping.ts'
import { type Scraper, ScraperCard, useScraper } from './scraper-card.tsx'

vi.mock('../scraping.data.ts', () => ({ runScraper: vi.fn(), sendCompanies: vi.fn() }))
/** The drawn buttons' handlers, by their label. */
const press = vi.hoisted(() => new Map<string, () => Promise<void>>())
vi.mock('#app/kit/ui/button.tsx', async (original) => {
  const { Button, ...others } = await original<typeof import('#app/kit/ui/button.tsx')>()
  return {
    ...others,
    Button: (props: Parameters<typeof Button>[0]) => {
      press.set(String(props.children), props.onClick as unknown as () => Promise<void>)
      return Button(props)
    },
  }
})

/** Each toast that was opened, the oldest first. */
const said = () => currentToasts().filter(({ open }) => open)
beforeEach(() => dismissToast())

let scraper: Scraper | undefined
function Tool() {
  scraper = useScraper(() => {})
  return null
}

describe('Spec §8: a run', () => {
  async function run() {
    rendered(<Tool />)
    await scraper?.run()
    return said().toSorted((a, b) => (a.title < b.title ? 1 : -1))
  }
  const started = {
    title: 'Scraper started',
    description: 'This may take a minute to complete, please be patient.',
  }

  test('a run says that it started, and how many companies it found', async () => {
    vi.mocked(runScraper).mockResolvedValue({ results: [{}, {}] as never, error: null })
    expect(await run()).toMatchObject([
      started,
      { title: 'Scraper completed', description: 'Found 2 companies' },
    ])
  })

  test('a run that fails, midway or with its answer, is a destructive toast', async () => {
    const failed = { title: 'Error running scraper', description: 'No', variant: 'destructive' }
    vi.mocked(runScraper).mockRejectedValue(new Error('No'))
    expect(await run()).toMatchObject([started, failed])
    dismissToast()
    vi.mocked(runScraper).mockResolvedValue({ results: [], error: 'No' })
    expect(await run()).toMatchObject([started, failed])
  })
})

test('Spec §4, §8: idle, loading, success and error all look different', () => {
  const card = (state: ScraperState) => {
    const now = { state, found: undefined, results: [], message: 'No', run: async () => {} }
    const html = rendered(
      <ScraperCard sourceName="Moorgate" mayRun scraper={now} isChanged={false} />,
    )
    return html.replace(/<svg.*?<\/svg>/gs, '')
  }
  expect(card('idle')).toContain('>Run Moorgate Scraper</button>')
  expect(card('loading')).toMatch(/<button [^>]*disabled=""[^>]*>.*Running\.\.\.<\/button>/)
  expect(card('success')).toContain('Found 0 companies')
  expect(card('error')).toMatch(/text-danger.*<p>Error: No<\/p><p>Please try again later\.<\/p>/)
  for (const state of ['idle', 'loading', 'success'] as const)
    expect(card(state)).not.toContain('Error: ')
})

describe('Spec §4, §5, §8: an import', () => {
  const onImported = vi.fn()
  const editor = (state: ScraperState, text: string) =>
    rendered(
      <ResultsEditor
        mayRun
        state={state}
        leftOut={0}
        text={text}
        onChange={() => {}}
        onImported={onImported}
      />,
    )
  const importing = (state: ScraperState, text: string) => {
    editor(state, text)
    return press.get('Import to Database')?.()
  }
  const rows = JSON.stringify([{ name: 'Acme' }])
  beforeEach(() => {
    vi.mocked(sendCompanies).mockReset()
  })

  test('an import is impossible before a run', async () => {
    await importing('idle', '')
    expect(said()).toMatchObject([
      { title: 'No data to import', description: 'Please run the scraper first' },
    ])
    expect(sendCompanies).not.toHaveBeenCalled()
  })

  test('an import is disabled after an error, and enabled after results', () => {
    const button = /<button type="button" disabled=""[^>]*>Import to Database<\/button>/
    expect(editor('error', '')).toMatch(button)
    expect(editor('success', rows)).not.toMatch(button)
  })

  test('an import without rows says so', async () => {
    await importing('success', '[]')
    expect(said()).toMatchObject([{ title: 'Error importing companies', variant: 'destructive' }])
    expect(sendCompanies).not.toHaveBeenCalled()
  })

  test('an import says that it’s running, and how many companies are new', async () => {
    vi.mocked(sendCompanies).mockResolvedValue({ imported: 1, error: null })
    const done = importing('success', rows)
    expect(said()).toMatchObject([{ title: 'Importing data' }])
    await done
    expect(said().map(({ title, description }) => [title, description])).toContainEqual([
      'Import successful',
      'Added 1 new companies to the database',
    ])
  })

  test('an import that fails is a destructive toast', async () => {
    vi.mocked(sendCompanies).mockRejectedValue(new Error('No'))
    await importing('success', rows)
    expect(said()).toContainEqual(
      expect.objectContaining({ title: 'Error importing companies', variant: 'destructive' }),
    )
  })

  test('an import’s result is below the button, and a failure looks destructive', () => {
    const outcome = (problem?: string) =>
      rendered(
        <ImportOutcome
          problem={problem}
          report={problem ? undefined : { imported: 3, error: null }}
        />,
      )
    expect(outcome()).toContain('Successfully imported 3 new companies to the database.')
    expect(outcome()).not.toContain('text-danger')
    expect(outcome('No')).toMatch(/text-danger.*Error: No/s)
    expect(outcome('No')).not.toContain('Successfully')
  })
})
