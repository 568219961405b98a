/** What narrows the list of threads: words, a topic, a time. All of it works without JavaScript. */
import { BadgeCheck, Search } from 'lucide'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { controlClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Options, Select } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { Topic } from '../../discussion.contract.ts'
import { type ThreadListAddress, threadListHref } from '../../discussion.data.ts'
import type { Period } from '../../discussion.ts'

const PERIOD_NAMES: Record<Period, string> = {
  day: 'Past day',
  week: 'Past week',
  month: 'Past month',
  year: 'Past year',
  all: 'All time',
}

/** The rest of the address, so that a form without JavaScript keeps it. */
function HiddenFields({ address }: { address: ThreadListAddress }) {
  return Object.entries(address).map(
    ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
  )
}

export function SearchForm({ address }: { address: ThreadListAddress }) {
  const { search, sort, after, ...filters } = address
  // A list's order doesn't suit a search, so a new search starts with the best match.
  const rest = search ? { sort, ...filters } : filters
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is too young for some browsers
    <form
      action="/discussions"
      role="search"
      aria-label="Discussions"
      className="mt-6 flex max-w-2xl gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('search') ?? '').trim()
        navigate(threadListHref({ ...rest, search: typed || undefined }))
      }}
    >
      <HiddenFields address={rest} />
      <input
        type="search"
        dir="auto"
        name="search"
        aria-label="Search discussions"
        placeholder="Search discussions"
        maxLength={200}
        defaultValue={search}
        className={cx(controlClasses, 'h-11 min-w-0 flex-1')}
      />
      <Button
        type="submit"
        variant="secondary"
        className="md:h-11"
        icon={<Icon of={Search} className="max-sm:hidden" />}
      >
        Search
      </Button>
    </form>
  )
}

export function PeriodForm({ address, period }: { address: ThreadListAddress; period: Period }) {
  const { period: _, after, ...rest } = address
  return (
    <form action="/discussions" className="mb-2 flex items-end gap-2">
      <HiddenFields address={rest} />
      <div className="w-40">
        <Select
          label="Time range"
          isLabelHidden
          name="period"
          value={period}
          onChange={(event) =>
            navigate(threadListHref({ ...rest, period: event.target.value as Period }), {
              replace: true,
            })
          }
        >
          <Options names={PERIOD_NAMES} />
        </Select>
      </div>
      <Button type="submit" variant="secondary" className="js:hidden">
        Show
      </Button>
    </form>
  )
}

const chipClasses =
  'inline-flex h-10 items-center rounded-full border px-3.5 text-sm transition-colors md:h-8 md:px-2.5 md:text-[0.8125rem]'
const chosenClasses = 'border-tea bg-tea-soft font-medium text-tea-strong'
const otherClasses = 'border-line bg-surface text-ink-soft hover:border-line-strong hover:text-ink'

/** Topics, and whether the list only has posts with a badge. */
export function TopicLinks({ topics, address }: { topics: Topic[]; address: ThreadListAddress }) {
  if (topics.length === 0) return null
  const all = [{ slug: undefined, name: 'All topics' }, ...topics]
  return (
    <nav aria-label="Topics" className="mt-5 max-md:-mx-5">
      <ul className="flex gap-2 md:gap-1.5 max-md:overflow-x-auto max-md:px-5 max-md:py-1 md:flex-wrap">
        {all.map(({ slug, name }) => {
          const isCurrent = address.topic === slug
          return (
            <li key={name} className="shrink-0">
              <a
                href={threadListHref({ ...address, after: undefined, topic: slug })}
                aria-current={isCurrent ? 'page' : undefined}
                className={cx(chipClasses, isCurrent ? chosenClasses : otherClasses)}
              >
                {name}
              </a>
            </li>
          )
        })}
        <li className="shrink-0">
          <a
            href={threadListHref({
              ...address,
              after: undefined,
              verified: address.verified ? undefined : 'yes',
            })}
            aria-current={address.verified ? 'true' : undefined}
            className={cx(chipClasses, address.verified ? chosenClasses : otherClasses, 'gap-1.5')}
          >
            <Icon of={BadgeCheck} className="size-3.5" />
            With a badge
          </a>
        </li>
      </ul>
    </nav>
  )
}
