/** An administrator imports a list: pastes it, previews it, decides about duplicates, adds it, and undoes it. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browsingOn, open, signIn } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '2000', RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

const LIST = `Symbol\tSecurity\tGICS Sector\tFounded
TSLA\tTesla, Inc.\tConsumer Discretionary\t2003
ABT\tAbbott Laboratories\tHealth Care\t1888
FDXF\tFedEx Freight\tIndustrials\t2000
AOS\tA. O. Smith\tIndustrials\t1916
ABBV\tAbbVie\tHealth Care\t2013 (1888)
`
const card = (page: Page) => page.getByRole('region', { name: 'Import companies from a file' })
const count = (page: Page, name: string) =>
  card(page).locator('dl > div', { hasText: name }).locator('dd').textContent()

test('ada pastes a list → sees its columns → decides by keys → adds and fills in → takes it back', () =>
  browsing(async (ada) => {
    await open(ada, '/')
    await signIn(ada, 'ada')
    await open(ada, '/admin-tools')
    await card(ada).getByLabel('Or paste a table from a spreadsheet').fill(LIST)
    await looksFine(ada, 'import-source')
    await card(ada).getByRole('button', { name: 'Read the table' }).click()

    await card(ada).getByRole('heading', { name: 'What’s in each column?' }).waitFor()
    expect(await card(ada).getByLabel('What Security is').inputValue()).toBe('name')
    expect(await card(ada).getByLabel('Category for Health Care').inputValue()).toBe('Healthcare')
    await card(ada).getByLabel('Category for Industrials').selectOption('Logistics')
    // A list needs names.
    await card(ada).getByLabel('What Security is').selectOption('')
    await card(ada).getByText('Choose the column with the names.').waitFor()
    await card(ada).getByLabel('What Security is').selectOption('name')
    await looksFine(ada, 'import-columns')
    await card(ada).getByRole('button', { name: 'Preview the import' }).click()

    await card(ada).getByRole('heading', { name: 'Preview' }).waitFor()
    for (const [name, n] of [
      ['New', '2'],
      ['Possible duplicates', '2'],
      ['Already here', '1'],
      ['Unreadable', '0'],
    ] as const)
      expect([name, await count(ada, name)]).toEqual([name, n])
    await card(ada).getByText('Already here: 1').click()
    await card(ada).getByText('Tesla, Inc.').waitFor()
    await card(ada).getByText('Possible duplicates: 0 of 2 decided').waitFor()
    await looksFine(ada, 'import-trial')
    // One key each: Abbott is the same company, FedEx Freight a different one.
    await card(ada)
      .getByRole('group', { name: /Abbott Laboratories/ })
      .getByRole('radio')
      .first()
      .focus()
    await ada.keyboard.press('s')
    await ada.keyboard.press('n')
    await card(ada).getByText('Possible duplicates: 2 of 2 decided').waitFor()
    // The trial counts Tesla and what ada decided: Abbott.
    const ticker = card(ada).getByRole('row', { name: /^Ticker/ })
    expect(await ticker.getByRole('cell').first().textContent()).toBe('2 of 2')
    expect(await ticker.getByRole('checkbox').isDisabled()).toBe(true)
    await card(ada).getByText('Adds 3 companies and fills in 4 fields.').waitFor()
    await card(ada).getByLabel('Replace Category').check()
    await card(ada)
      .getByText('Adds 3 companies, fills in 4 fields, and replaces 1 field.')
      .waitFor()
    await looksFine(ada, 'import-fields')
    await card(ada).getByRole('button', { name: 'Add 3 companies' }).click()

    await card(ada).getByText('Successfully imported 3 new companies to the database.').waitFor()
    const past = card(ada).getByRole('region', { name: 'Earlier imports' })
    await past.getByText(/3 companies added, 2 updated/).waitFor()
    expect(await count(ada, 'Updated')).toBe('2')
    await card(ada)
      .getByText('Tesla, Inc. is already here: Tesla: Category, Founded, Ticker')
      .waitFor()
    await looksFine(ada, 'import-report')
    await open(ada, '/tesla')
    await ada.getByText('Founded 2003').first().waitFor()
    await open(ada, '/fedex-freight')
    await ada.getByRole('heading', { level: 1, name: 'FedEx Freight' }).waitFor()

    await open(ada, '/admin-tools')
    await card(ada).getByRole('button', { name: 'Undo A pasted table' }).click()
    await card(ada).getByText('Undone: 3 companies removed, 5 fields put back.').waitFor()
    await looksFine(ada, 'import-undone')
    const gone = await ada.request.get(`${running.site.url}/fedex-freight`)
    expect(gone.status()).toBe(404)

    // The corrected list asks only about what's new.
    const corrected = LIST.replace('1888', '1889').concat('FDX\tFedEx Ground\tIndustrials\t1985\n')
    await card(ada).getByLabel('Or paste a table from a spreadsheet').fill(corrected)
    await card(ada).getByRole('button', { name: 'Read the table' }).click()
    await card(ada).getByRole('button', { name: 'Preview the import' }).click()
    await card(ada).getByText('Possible duplicates: 0 of 1 decided').waitFor()
    await card(ada).getByText('Decided for an earlier list: 2').click()
    const known = card(ada).getByRole('group', { name: /FedEx Freight/ })
    expect(await known.getByRole('radio', { name: 'Another company' }).isChecked()).toBe(true)
    await looksFine(ada, 'import-decided')
    await card(ada).getByRole('button', { name: 'Add 3 companies' }).click()
    await card(ada).getByText('Successfully imported 3 new companies to the database.').waitFor()
  }))

test('ada brings a list in an old encoding → is asked how to read it → corrects the row of its titles → adds it', () =>
  browsing(async (ada) => {
    await open(ada, '/')
    await signIn(ada, 'ada')
    await open(ada, '/admin-tools')
    const rows = [
      'Liste 2026',
      'Firma;Ort',
      'Crème & Fils;Orléans',
      'Forêt Ardente;Nîmes',
      'Zénith;Sète',
    ]
    await card(ada)
      .getByLabel('File with companies')
      .setInputFiles({
        name: 'liste.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(rows.join('\r\n'), 'latin1'),
      })

    await card(ada)
      .getByRole('heading', { name: 'This file’s letters can be read in several ways' })
      .waitFor()
    await card(ada).getByText('Crčme & Fils;Orléans').first().waitFor()
    const western = card(ada).getByRole('radio', { name: /^Windows-1252/ })
    expect(await card(ada).getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await western.check()
    await looksFine(ada, 'import-encoding')
    await card(ada).getByRole('button', { name: 'Continue' }).click()

    await card(ada).getByRole('heading', { name: 'This file may not have titles' }).waitFor()
    await card(ada)
      .getByRole('radio', { name: /^No titles/ })
      .check()
    await looksFine(ada, 'import-titles')
    await card(ada).getByRole('button', { name: 'Continue' }).click()

    await card(ada)
      .getByText(/^How we read it: Windows-1252 \(Western Europe\), semicolons, no titles$/)
      .click()
    await card(ada).getByLabel('Row with the titles').fill('2')
    await looksFine(ada, 'import-reading')
    await card(ada).getByRole('button', { name: 'Read it again' }).click()
    await card(ada).getByLabel('What Firma is').selectOption('name')
    await card(ada).getByLabel('What Ort is').selectOption('headquarters')
    await card(ada).getByRole('button', { name: 'Preview the import' }).click()
    await card(ada).getByText('New: 3').click()
    await card(ada).getByText('Crème & Fils').waitFor()
    await card(ada).getByRole('button', { name: 'Add 3 companies' }).click()
    await card(ada).getByText('Successfully imported 3 new companies to the database.').waitFor()
    await open(ada, '/zenith')
    await ada.getByText('Sète').first().waitFor()
  }))

test('ada is asked once per column what its unclear cells mean → answers, changes her mind → imports what she sees', () =>
  browsing(async (ada) => {
    await open(ada, '/')
    await signIn(ada, 'ada')
    await open(ada, '/admin-tools')
    const list = [
      'Company\tEmployees\tFounded\tCountry',
      'Quillsbury Kilns\t1.234\t1904/1946\tNA',
      'Oxbow Ferries\t20.000\t1998\tNA',
      'Tesla Kettles\t640\t1999\tFrance',
      'Tesla Motors\t3.500\t2003\t',
    ]
    await card(ada).getByLabel('Or paste a table from a spreadsheet').fill(list.join('\n'))
    await card(ada).getByRole('button', { name: 'Read the table' }).click()
    await card(ada).getByRole('button', { name: 'Preview the import' }).click()

    const asked = (count: number) =>
      card(ada).getByText(`Unclear cells: ${count} of 3 questions answered`).waitFor()
    await asked(0)
    await card(ada).getByText('Cells we leave out: 5').click()
    await card(ada).getByText('“1.234” could be 1.234 or 1,234').waitFor()
    await looksFine(ada, 'import-unclear')
    const say = (column: string, meaning: string) =>
      card(ada)
        .getByRole('group', { name: `mean in ${column}?` })
        .getByRole('radio', { name: meaning, exact: true })
        .check()
    // What she decided about a row stays.
    await card(ada)
      .getByRole('group', { name: /Tesla Motors/ })
      .getByRole('radio', { name: 'The same' })
      .check()
    await say('Employees', '1.234 (decimals)')
    await asked(1)
    await say('Employees', '1,234 (thousands)')
    await say('Founded', '1904 (first)')
    await asked(2)
    await card(ada).getByText('Cells we leave out: 2').waitFor()
    await looksFine(ada, 'import-unclear-answered')
    await card(ada).getByText('Possible duplicates: 1 of 2 decided').waitFor()
    await card(ada).getByRole('button', { name: 'Add 2 companies' }).click()
    await card(ada).getByText('Successfully imported 2 new companies to the database.').waitFor()
    await card(ada).getByText('“NA” could be Namibia or “not available”').first().waitFor()
    await looksFine(ada, 'import-unclear-report')
    await open(ada, '/quillsbury-kilns')
    await ada.getByText('Founded 1904').first().waitFor()
  }))
