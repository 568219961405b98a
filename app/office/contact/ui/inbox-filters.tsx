import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide'
import { useApi } from '#app/api/client.ts'
import { CountBadge } from '#app/kit/ui/badge.tsx'
import { controlClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Options, Select } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { ContactContract } from '../contact.contract.ts'
import { choicesQuery, type Narrowed } from '../contact.data.ts'
import {
  ASSIGNEE_FILTER_NAMES,
  type AssigneeFilter,
  CONTACT_FILTERS,
  type ContactFilter,
  FILTER_NAMES,
  unreadText,
} from '../contact.ts'

export function InboxFilters(props: InboxFiltersProps) {
  const { filter, unread, onFilter, search, onSearch, className } = props
  return (
    <div className={cx('flex flex-wrap items-center justify-between gap-3', className)}>
      <fieldset className="flex gap-1 rounded-lg bg-sunken p-1">
        <legend className="sr-only">Filter messages</legend>
        {CONTACT_FILTERS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={filter === each}
            onClick={() => onFilter(each)}
            className={cx(
              'inline-flex h-10 items-center gap-1.5 rounded-md px-3 text-sm font-medium transition-colors md:h-8',
              filter === each ? 'bg-surface text-ink shadow-card' : 'text-ink-soft hover:text-ink',
            )}
          >
            {FILTER_NAMES[each]}
            {each === 'unread' && !!unread && <CountBadge>{unreadText(unread)}</CountBadge>}
          </button>
        ))}
      </fieldset>
      <div className="relative min-w-0 flex-1 basis-48 md:max-w-72">
        <Icon
          of={Search}
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
        />
        <input
          type="search"
          aria-label="Search messages"
          placeholder="Words or a full email"
          maxLength={254}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          className={cx(controlClasses, 'h-11 pl-9 md:h-10')}
        />
      </div>
    </div>
  )
}

interface InboxFiltersProps {
  filter: ContactFilter
  unread: number | undefined
  onFilter: (filter: ContactFilter) => void
  search: string
  onSearch: (search: string) => void
  className?: string
}

export function InboxNarrow({ narrowed, onChoose, className }: InboxNarrowProps) {
  const { data } = useQuery(choicesQuery(useApi<ContactContract>()))
  const { assigned, label } = narrowed
  const labels = [...new Set([...(label ? [label] : []), ...(data?.labels ?? [])])]
  return (
    <div className={cx('flex flex-wrap gap-3', className)}>
      <div className="min-w-0 flex-1 basis-32 sm:max-w-44">
        <Select
          label="Assignee"
          isLabelHidden
          value={assigned}
          onChange={(event) =>
            onChoose({ ...narrowed, assigned: event.target.value as AssigneeFilter })
          }
        >
          <Options names={ASSIGNEE_FILTER_NAMES} />
        </Select>
      </div>
      {labels.length > 0 && (
        <div className="min-w-0 flex-1 basis-32 sm:max-w-44">
          <Select
            label="Label"
            isLabelHidden
            value={label ?? ''}
            onChange={(event) => onChoose({ ...narrowed, label: event.target.value || undefined })}
          >
            <option value="">Any label</option>
            <Options names={Object.fromEntries(labels.map((each) => [each, each]))} />
          </Select>
        </div>
      )}
    </div>
  )
}

interface InboxNarrowProps {
  narrowed: Narrowed
  onChoose: (narrowed: Narrowed) => void
  className?: string
}
