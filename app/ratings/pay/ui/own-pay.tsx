/** The pay that this browser gave. */
import { amountText } from '#app/kit/writing/currencies.ts'
import type { OwnEntry } from '../../presented/own-entries.data.ts'
import { type EntryWords, MyEntries, OwnEntryList } from '../../ui/own-entries.tsx'
import { areaName } from '../areas.ts'
import { titleName } from '../titles.ts'

const WORDS: EntryWords<'pay'> = {
  kind: 'pay',
  tab: 'pay',
  yours: 'your pay',
  what: 'pay',
  empty:
    'What you give on a company’s Pay tab shows up here. Only this browser lists it, because the site never tells what one person earns.',
  sent: 'Sent. It counts once at least five people’s changes are in.',
  removal:
    'We delete it within two minutes. It stops counting at the next update, along with other people’s changes.',
  headOf: ({ base, bonus, equity, currency }) => amountText(base + bonus + equity, currency),
  detailsOf: ({ title, area }) => `${titleName(title)}, ${areaName(area)}`,
}

export const MyPay = () => <MyEntries words={WORDS} />

export const OwnPayList = ({ listed }: { listed: OwnEntry<'pay'>[] }) => (
  <OwnEntryList words={WORDS} listed={listed} />
)
