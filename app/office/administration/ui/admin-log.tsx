import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import {
  type AdminAction,
  SUBJECT_MAX,
} from '#app/identity/accounts/administrators/admin-action.ts'
import { CsvButton } from '#app/kit/session/download.tsx'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Options, Select, TextField } from '#app/kit/ui/field.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import { useDebounced } from '#app/kit/ui/use-debounced.ts'
import type { AdministrationContract, LogEntry } from '../administration.contract.ts'
import { adminLogQuery, type LogFilters, saveLog } from '../administration.data.ts'
import { ADMIN_ACTION_NAMES, ADMIN_ACTION_TEXTS } from '../administration.ts'

const TYPING_MS = 250
const NOTHING: LogFilters = {}

export function AdminLog() {
  const [chosen, setChosen] = useState(NOTHING)
  const about = useDebounced(chosen.about?.trim(), TYPING_MS)
  const isBackwards = Boolean(chosen.from && chosen.to && chosen.from > chosen.to)
  const filters = { ...chosen, about: about || undefined, ...(isBackwards && { to: undefined }) }
  const query = useInfiniteQuery(adminLogQuery(useApi<AdministrationContract>(), filters))
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = Object.values(chosen).some(Boolean)
  return (
    <>
      <p className="mb-5 max-w-prose text-sm leading-6 text-ink-soft">
        {
          'What administrators did to accounts, requests and data. Decisions about posts are in the '
        }
        <a href="/admin/moderation?tab=log" className={linkClasses}>
          moderation log
        </a>
        .
      </p>
      <Filters
        chosen={chosen}
        admins={query.data?.pages[0]?.admins ?? []}
        error={isBackwards ? 'This day is before the first one' : undefined}
        onChoose={(change) => setChosen({ ...chosen, ...change })}
      />
      <div className="mt-4 mb-4 flex min-h-10 flex-wrap items-center justify-between gap-3">
        <CsvButton onSave={() => saveLog(filters)} />
        {isFiltered && (
          <Button variant="ghost" size="sm" onClick={() => setChosen(NOTHING)}>
            Show everything
          </Button>
        )}
      </div>
      <PagedList
        query={query}
        items={entries.map((entry) => ({ ...entry, id: String(entry.entry) }))}
        empty={<EmptyState {...(isFiltered ? NOTHING_FOUND : NOTHING_DONE)} />}
        render={(entry) => <Entry entry={entry} />}
      />
    </>
  )
}

const NOTHING_DONE = {
  title: 'Nothing logged yet',
  text: 'What administrators do is logged here, with the day and their name.',
}
const NOTHING_FOUND = { title: 'No matching entries', text: 'Try fewer filters or other days.' }

function Filters({ chosen, admins, error, onChoose }: FiltersProps) {
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1.25fr_auto_auto]">
      <legend className="sr-only">Filter entries</legend>
      <Select
        label="Who"
        value={chosen.who ?? ''}
        onChange={(event) => onChoose({ who: event.target.value || undefined })}
      >
        <option value="">Everyone</option>
        <Options names={Object.fromEntries(admins.map((name) => [name, name]))} />
      </Select>
      <Select
        label="What"
        value={chosen.action ?? ''}
        onChange={({ target }) =>
          onChoose({ action: (target.value || undefined) as AdminAction | undefined })
        }
      >
        <option value="">Everything</option>
        <Options names={ADMIN_ACTION_NAMES} />
      </Select>
      <TextField
        label="Company or name"
        type="search"
        autoComplete="off"
        maxLength={SUBJECT_MAX}
        value={chosen.about ?? ''}
        onChange={(event) => onChoose({ about: event.target.value })}
      />
      <TextField
        label="From"
        type="date"
        value={chosen.from ?? ''}
        onChange={(event) => onChoose({ from: event.target.value || undefined })}
      />
      <TextField
        label="To"
        type="date"
        value={chosen.to ?? ''}
        onChange={(event) => onChoose({ to: event.target.value || undefined })}
        error={error}
      />
    </fieldset>
  )
}

interface FiltersProps {
  chosen: LogFilters
  admins: string[]
  error: string | undefined
  onChoose: (change: LogFilters) => void
}

const Entry = ({ entry }: { entry: LogEntry }) => {
  const { admin, action, subject, href, day, minute, before, after } = entry
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm leading-6">
      <p className="min-w-0 break-words text-ink-soft">
        <strong className="font-semibold text-ink">{admin}</strong>
        {` ${ADMIN_ACTION_TEXTS[action]} `}
        {href ? (
          <SiteLink href={href} className={linkClasses}>
            {subject}
          </SiteLink>
        ) : (
          <span className="text-ink">{subject}</span>
        )}
      </p>
      <p className="shrink-0 text-[0.8125rem] text-ink-faint tabular-nums">
        {minute ? <Minute iso={minute} /> : dateText(day)}
      </p>
      {after !== null && (
        <dl className="grid w-full grid-cols-[auto_1fr] gap-x-3 text-[0.8125rem] text-ink-soft">
          <dt className="text-ink-faint">Before</dt>
          <dd className="min-w-0 break-words whitespace-pre-line">{before || NO_TEXT}</dd>
          <dt className="text-ink-faint">After</dt>
          <dd className="min-w-0 break-words whitespace-pre-line">{after || NO_TEXT}</dd>
        </dl>
      )}
    </div>
  )
}

const NO_TEXT = '(empty)'

const MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })

/** A minute in the reader's time zone. */
const Minute = ({ iso }: { iso: string }) => (
  <time dateTime={iso}>{MINUTE.format(new Date(iso)).replace(' at ', ', ')}</time>
)
