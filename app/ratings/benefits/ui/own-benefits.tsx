/** The benefits that this browser gave. */
import { plural } from '#app/kit/ui/format.ts'
import type { OwnEntry } from '../../presented/own-entries.data.ts'
import { type EntryWords, MyEntries, OwnEntryList } from '../../ui/own-entries.tsx'

const WORDS: EntryWords<'benefits'> = {
  kind: 'benefits',
  tab: 'benefits',
  yours: 'your list of benefits',
  what: 'benefits',
  empty:
    'What you give on a company’s Benefits tab shows up here. It stays in this browser, because the site never tells what someone has.',
  sent: 'Sent. It counts from the next update with at least five people’s changes.',
  removal:
    'We delete it within two minutes. It stops counting at the next update, along with other people’s changes.',
  headOf: ({ has }) => plural(has.length, 'benefit'),
  detailsOf: ({ uses, leaveWeeks, daysOff }) =>
    [
      `You use ${uses.length}`,
      ...(daysOff === null ? [] : [plural(daysOff, 'paid day off', 'paid days off')]),
      ...(leaveWeeks === null ? [] : [`${plural(leaveWeeks, 'week')} of parental leave`]),
    ].join(', '),
}

export const MyBenefits = () => <MyEntries words={WORDS} />

export const OwnBenefitsList = ({ listed }: { listed: OwnEntry<'benefits'>[] }) => (
  <OwnEntryList words={WORDS} listed={listed} />
)
