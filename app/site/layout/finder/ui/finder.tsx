/** Search for companies, discussions, jobs, pages and actions. Load it with `lazyDialog`. */

import { Search } from 'lucide'
import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { SEARCH_MAX_CHARACTERS } from '#app/companies/company.ts'
import { RequestDialog } from '#app/companies/requests/ui/lazy-request-dialog.ts'
import { SEARCH_TEXTS } from '#app/companies/ui/suggestions.tsx'
import { currentConsent } from '#app/kit/consent/consent.data.ts'
import { RECENT_KEY } from '#app/kit/consent/consent.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { KeyCap } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import { plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { storedValue } from '#app/kit/ui/stored-value.ts'
import { consumeEarlyEnter, isMac, typeInFinder, useFinderText } from '../finder.data.ts'
import { type FinderOption, useFinderGroups } from './use-finder-groups.tsx'

export function Finder({ open, onOpenChange }: OpenProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isRequestOpen, setRequestOpen] = useState(false)
  const [companyName, setCompanyName] = useState('')
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        width="md"
        title="Find anything"
        initialFocus={input}
      >
        <FinderBox
          ref={input}
          onClose={() => onOpenChange(false)}
          onRequest={(text) => {
            setCompanyName(text)
            setRequestOpen(true)
          }}
        />
      </Dialog>
      <RequestDialog open={isRequestOpen} onOpenChange={setRequestOpen} companyName={companyName} />
    </>
  )
}

const labelOf = ({ enableCompanies, enableDiscussions, enableJobs }: SiteConfig['flags']) =>
  [
    'Find ',
    enableCompanies && 'companies, ',
    enableDiscussions && 'discussions, ',
    enableJobs && 'jobs, ',
    'pages and actions',
  ]
    .filter(Boolean)
    .join('')

/**
 * The finder's box and list: the APG "editable combobox with list autocomplete", with grouped
 * options that are always shown. `ui/combobox.tsx` is the simpler one for forms.
 */
function FinderBox({ ref, onClose, onRequest }: FinderBoxProps) {
  const { flags } = useSite()
  const label = labelOf(flags)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const typed = useFinderText()
  const [recent, setRecent] = useState(recentSearches)
  const [walkedTo, setWalkedTo] = useState<string>()
  const [isEnterWaiting, setEnterWaiting] = useState(consumeEarlyEnter)
  const found = useFinderGroups({ typed, recent, onType: type, onRequest })
  const { groups, isAsked, isPending, isOffline, isError } = found
  const options = groups.flatMap((group) => group.options)
  const text = typed.trim()
  // Once there's a text, Enter takes the first option.
  const walked = options.findIndex(({ key }) => key === walkedTo)
  const activeIndex = walked < 0 && text !== '' && options.length > 0 ? 0 : walked
  const active = options[activeIndex]
  const finds = groups.filter(({ name }) => name !== 'Actions').flatMap((group) => group.options)

  function type(next: string) {
    typeInFinder(next)
    setWalkedTo(undefined)
    setEnterWaiting(false)
  }

  function choose(option: FinderOption) {
    const { href, act, staysOpen } = option
    if (isAsked) rememberSearch(text)
    if (!staysOpen) onClose()
    act?.()
    if (href) navigate(href)
  }

  // If Enter is pressed before the results arrive, take the first link then, but never run an unseen
  // action.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what waiting depends on
  useEffect(() => {
    if (!isEnterWaiting || isPending) return
    setEnterWaiting(false)
    if (active?.href) choose(active)
  }, [isEnterWaiting, isPending])

  function walk(step: 1 | -1) {
    if (options.length === 0) return
    const start = activeIndex < 0 && step < 0 ? 0 : activeIndex
    const index = (start + step + options.length) % options.length
    setWalkedTo(options[index]?.key)
    list.current?.querySelectorAll('[role=option]')[index]?.scrollIntoView({ block: 'nearest' })
  }

  function pressKey(event: KeyboardEvent) {
    // Leave keys to an input method while it's composing (229 in Safari).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      walk(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (walked < 0 && isPending) setEnterWaiting(true)
      else if (active) choose(active)
    }
  }

  const optionId = (option: FinderOption) => `${id}-${options.indexOf(option)}`
  let status = ''
  if (isOffline) status = 'You’re offline, so only pages and actions show up.'
  else if (isPending) status = SEARCH_TEXTS.searching
  else if (isAsked && !isError) status = plural(finds.length, 'result')

  return (
    <div className="flex h-[calc(100dvh-9.5rem)] flex-col gap-3 md:h-[min(30rem,calc(100dvh-12rem))]">
      <div className="relative shrink-0">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <Icon
          of={Search}
          className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-ink-faint"
        />
        <input
          ref={ref}
          id={id}
          type="text"
          role="combobox"
          dir="auto"
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={active && optionId(active)}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder="Companies, discussions, pages..."
          maxLength={SEARCH_MAX_CHARACTERS}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={pressKey}
          className="h-12 w-full rounded-md border border-line-strong bg-surface pr-3 pl-12 text-base text-ink transition-colors placeholder:text-ink-faint hover:border-ink-soft focus-visible:border-tea focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-tea/40"
        />
      </div>
      {isError && <LoadErrorLine text="Some results didn’t load." onRetry={found.retry} />}
      {isAsked && !isPending && !isOffline && !isError && finds.length === 0 && (
        <p className="px-3 py-2 text-sm text-ink-soft wrap-anywhere">{`Nothing found for “${text}”.`}</p>
      )}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className="-mx-2 min-h-0 flex-1 overflow-y-auto overscroll-contain px-2"
      >
        {groups.map(({ name, options }, nth) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox knows groups by their role alone
          <div key={name} role="group" aria-labelledby={`${id}-group-${nth}`} className="pb-2">
            <div
              id={`${id}-group-${nth}`}
              role="presentation"
              className="px-3 pt-2 pb-1 text-xs font-semibold tracking-wide text-ink-faint uppercase"
            >
              {name}
            </div>
            {options.map((option) => (
              <Option
                key={option.key}
                id={optionId(option)}
                option={option}
                isActive={option === active}
                onPoint={() => setWalkedTo(option.key)}
                onChoose={() => choose(option)}
              />
            ))}
          </div>
        ))}
      </div>
      <div className="-mb-2 flex min-h-9 shrink-0 items-center justify-between gap-4 border-t border-line pt-3 text-xs text-ink-faint">
        {/* Always in the page, so screen readers announce changes. */}
        <div role="status">{status}</div>
        {text === '' && recent.length > 0 ? (
          <Button
            variant="link"
            size="sm"
            onClick={() => {
              forgetSearches()
              setRecent([])
            }}
          >
            Clear recent searches
          </Button>
        ) : (
          <p className="flex items-center gap-1.5 max-md:hidden">
            <span aria-hidden="true" className="contents">
              <KeyCap>↑</KeyCap>
              <KeyCap>↓</KeyCap>
              <KeyCap>Enter</KeyCap>
              <span className="ml-2">opens anywhere:</span>
              <KeyCap>{isMac() ? '⌘ K' : 'Ctrl K'}</KeyCap>
            </span>
            <a
              href={`${settingsPath(flags)}#keyboard`}
              onClick={onClose}
              className="ml-2 underline underline-offset-4 hover:text-ink"
            >
              Settings
            </a>
          </p>
        )}
      </div>
    </div>
  )
}

/** A real link, so people can open it in another tab. */
function Option({ id, option, isActive, onPoint, onChoose }: OptionProps) {
  const Frame = option.href ? 'a' : 'div'
  return (
    <Frame
      id={id}
      href={option.href}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // Keep the focus in the box.
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        onChoose()
      }}
      className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm aria-selected:bg-tea-soft md:min-h-11"
    >
      {option.row}
    </Frame>
  )
}

interface FinderBoxProps {
  ref: Ref<HTMLInputElement>
  onClose: () => void
  onRequest: (companyName: string) => void
}
interface OptionProps {
  id: string
  option: FinderOption
  isActive: boolean
  onPoint: () => void
  onChoose: () => void
}

export const RECENT_MAX = 6

/**
 * This browser's recent searches, which we never send. Kept beyond the page only with consent to preference
 * cookies. D49.
 */
const recent = storedValue(RECENT_KEY, recentIn, () => currentConsent().preferences.preferences)

export const recentSearches = recent.current

export const rememberSearch = (text: string) => recent.change((texts) => withRecent(texts, text))

export const forgetSearches = () => recent.change(() => [])

/** Newest first. The same text in a different case moves to the front. */
export const withRecent = (recent: readonly string[], text: string): string[] =>
  [text, ...recent.filter((each) => each.toLowerCase() !== text.toLowerCase())].slice(0, RECENT_MAX)

/** Drops invalid stored values. */
export function recentIn(stored: string | null): string[] {
  try {
    const found: unknown = JSON.parse(stored ?? '[]')
    if (!Array.isArray(found)) return []
    return found.filter((each) => typeof each === 'string').slice(0, RECENT_MAX)
  } catch {
    return []
  }
}
