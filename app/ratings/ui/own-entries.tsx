/** What this browser gave once per company and year, with change and remove. The site doesn't know this list. */
import { type ReactNode, useState } from 'react'
import { sendAgain } from '#app/identity/credentials/rated.data.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import {
  type Contents,
  type EntryKind,
  type OwnEntry,
  removeOwnEntry,
  useOwnEntries,
} from '../presented/own-entries.data.ts'

/** How a kind of entry is called, and shown. */
export interface EntryWords<Kind extends EntryKind> {
  kind: Kind
  /** The company's tab. */
  tab: string
  /** Such as "your pay". */
  yours: string
  /** Such as "pay". */
  what: string
  empty: string
  /** How it stands once it's on the server. */
  sent: string
  /** Said before it's removed. */
  removal: string
  /** Beside the year. */
  headOf: (content: Contents[Kind]) => string
  detailsOf: (content: Contents[Kind]) => string
  /** What else is to say, such as what moderators did. */
  more?: (own: OwnEntry<Kind>) => ReactNode
}

export function MyEntries<Kind extends EntryKind>({ words }: { words: EntryWords<Kind> }) {
  const listed = useOwnEntries(words.kind, useSessionKey())
  if (listed.length === 0)
    return (
      <EmptyState
        title={`No ${words.what} on this device`}
        text={words.empty}
        action={
          <a href="/companies" className={buttonClasses('secondary')}>
            Browse companies
          </a>
        }
      />
    )
  return (
    <>
      <p className="mb-4 text-sm text-ink-soft">Only this browser knows this list.</p>
      <OwnEntryList words={words} listed={listed} isOfAll />
    </>
  )
}

export const OwnEntryList = <Kind extends EntryKind>({
  words,
  listed,
  isOfAll = false,
}: {
  words: EntryWords<Kind>
  listed: OwnEntry<Kind>[]
  isOfAll?: boolean
}) => (
  <ul aria-label={capital(words.yours)} className="divide-y divide-line border-y border-line">
    {listed.map((it) => (
      <Line key={it.subject} words={words} own={it} isOfAll={isOfAll} />
    ))}
  </ul>
)

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function Line<Kind extends EntryKind>({ words, own, isOfAll }: LineProps<Kind>) {
  const sessionKey = useSessionKey()
  const [isAsked, setAsked] = useState(false)
  const { company, year, content, outgoing, subject, formerIds } = own
  const href = `${company.path}?tab=${words.tab}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="min-w-0 flex-1 basis-64 text-sm leading-6 text-ink-soft">
        {isOfAll && (
          <SiteLink
            href={href}
            dir="auto"
            className="block font-serif text-xl leading-7 font-medium text-ink underline-offset-4 hover:underline"
          >
            {company.name}
          </SiteLink>
        )}
        <p className="font-medium text-ink">
          {content ? `${year}: ${words.headOf(content)}` : `${year}`}
        </p>
        {content && <p>{words.detailsOf(content)}</p>}
        <p role="status" className={outgoing?.problem ? 'text-danger' : undefined}>
          {stateOf(own, words)}
        </p>
        {words.more?.(own)}
      </div>
      <div className="flex gap-2">
        {outgoing?.problem && (
          <Button variant="secondary" size="sm" onClick={() => sendAgain(sessionKey, subject)}>
            Try again
          </Button>
        )}
        {content && (
          <>
            <a
              href={`${href}&give=yes&year=${year}`}
              rel="nofollow"
              className={buttonClasses('secondary', 'sm')}
            >
              Change
              <span className="sr-only">{` ${words.yours} of ${year} at ${company.name}`}</span>
            </a>
            <Button
              variant="ghost"
              size="sm"
              aria-label={`Remove ${words.yours} of ${year} at ${company.name}`}
              {...ConfirmDialog.preload}
              onClick={() => setAsked(true)}
            >
              Remove
            </Button>
          </>
        )}
      </div>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={`Remove ${words.yours}?`}
        texts={{
          text: words.removal,
          confirm: `Remove ${words.what}`,
          busy: 'Removing...',
          cancel: 'Keep it',
        }}
        act={async () => removeOwnEntry(words.kind, { company, sessionKey, formerIds }, year)}
      />
    </li>
  )
}

interface LineProps<Kind extends EntryKind> {
  words: EntryWords<Kind>
  own: OwnEntry<Kind>
  isOfAll: boolean
}

function stateOf<Kind extends EntryKind>(
  { outgoing, content }: OwnEntry<Kind>,
  { sent }: EntryWords<Kind>,
) {
  if (outgoing?.problem) return `Not sent: ${outgoing.problem}`
  if (!outgoing) return sent
  return content
    ? 'Sending… Your browser picks a moment within two minutes, so no one can tell it’s you.'
    : 'Removing…'
}

/** For someone whose other device gave it. @param yours such as "your pay" */
export const RemoveElsewhere = ({ yours, onRemove }: { yours: string; onRemove: () => void }) => (
  <p className="text-sm leading-6 text-ink-soft">
    {`Gave ${yours} on another device? `}
    <button type="button" className={linkClasses} onClick={onRemove}>
      Remove it from here
    </button>
  </p>
)
