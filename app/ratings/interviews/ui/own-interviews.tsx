/** The interviews that this browser gave. */
import type { ModeratedNote } from '#app/community/reports/report.contract.ts'
import { OwnNoteState } from '#app/community/reports/ui/own-moderation.tsx'
import { changeSubmission } from '#app/identity/credentials/rated.data.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { plural } from '#app/kit/ui/format.ts'
import { keysOf, type OwnEntry } from '../../presented/own-entries.data.ts'
import { type EntryWords, MyEntries, OwnEntryList } from '../../ui/own-entries.tsx'
import { DIFFICULTIES, FEELINGS } from '../interview.ts'

const WORDS: EntryWords<'interview'> = {
  kind: 'interview',
  tab: 'interviews',
  yours: 'your interview',
  what: 'interview',
  empty:
    'What you give on a company’s Interviews tab shows up here. It stays in this browser, because the site doesn’t know whose an interview is.',
  sent: 'Sent. It’s published at the beginning of a month with at least four others, or after a whole month.',
  removal:
    'We delete it within two minutes. Its text disappears tonight, and it stops counting at the beginning of a month, along with other people’s changes.',
  headOf: ({ hasOffer, weeks }) =>
    `${hasOffer ? 'an offer' : 'no offer'}, ${plural(weeks, 'week')}`,
  detailsOf: ({ difficulty, feeling }) =>
    `Difficulty: ${DIFFICULTIES[difficulty].toLowerCase()}. Felt: ${FEELINGS[feeling].toLowerCase()}.`,
  more: (own) => <ModeratedText own={own} />,
}

export const MyInterviews = () => <MyEntries words={WORDS} />

export const OwnInterviewList = ({ listed }: { listed: OwnEntry<'interview'>[] }) => (
  <OwnEntryList words={WORDS} listed={listed} />
)

/** What this browser last learned about the text. */
function ModeratedText({ own }: { own: OwnEntry<'interview'> }) {
  const sessionKey = useSessionKey()
  const { subject, formerIds, onServer, outgoing } = own
  const keys = keysOf(sessionKey, subject, formerIds)
  const post = onServer?.post as ModeratedNote | undefined
  if (!post || !keys || outgoing) return null
  const onAppeal = (appeal: ModeratedNote['appeal']) =>
    changeSubmission(
      sessionKey,
      subject,
      (now) =>
        now?.onServer && {
          ...now,
          onServer: { ...now.onServer, post: { ...now.onServer.post, appeal, canAppeal: false } },
        },
    )
  return <OwnNoteState post={post} holder={{ keys, onAppeal }} />
}
