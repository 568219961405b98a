/** The bar at the top of every page, 64 px high. Spec §2.2, §2.3. */
import { Bell as BellShape, ChevronDown, Ellipsis, Menu, Search } from 'lucide'
import { useState } from 'react'
import { SEARCH_MAX_CHARACTERS } from '#app/companies/company.ts'
import { SEARCH_TEXTS } from '#app/companies/ui/suggestions.tsx'
import {
  type AuthRequest,
  askToSignIn,
  endReauthentication,
  maySee,
  useAuthRequest,
  useMustReauthenticate,
  useReader,
  useSession,
} from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { controlClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon, Wordmark } from '#app/kit/ui/icon.tsx'
import { lazyComponent, lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { LoadBar, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { ThemeToggle } from '#app/kit/ui/theme-toggle.tsx'
import { ContactDialog } from '#app/office/contact/ui/lazy-contact-dialog.ts'
import {
  enterEarly,
  showFinder,
  typeInFinder,
  useFinder,
  useFinderText,
  useSlash,
} from '../finder/finder.data.ts'
import { SITE_PAGES } from '../site-pages.ts'
import { entryClasses, isCurrentEntry, navigationEntries } from './navigation.ts'

const AuthDialog = lazyDialog(() =>
  import('#app/identity/accounts/sign-in/ui/auth-dialog.tsx').then((it) => it.AuthDialog),
)
const ReauthenticationDialog = lazyDialog(() =>
  import('#app/identity/accounts/sign-in/ui/reauthentication-dialog.tsx').then(
    (it) => it.ReauthenticationDialog,
  ),
)
const AboutMenu = lazyDialog(() => import('./about-menu.tsx').then((it) => it.AboutMenu))
const Bell = lazyComponent(
  () => import('#app/moderation/notifications/ui/bell.tsx').then((it) => it.Bell),
  <BellLink />,
)
const MobileMenu = lazyDialog(() => import('./mobile-menu.tsx').then((it) => it.MobileMenu))

const WaitingLink = lazyComponent(() =>
  import('#app/office/administration/ui/waiting-link.tsx').then((it) => it.WaitingLink),
)

const UserButton = lazyComponent(
  () => import('#app/identity/accounts/ui/user-button.tsx').then((it) => it.UserButton),
  <Skeleton className="h-9 w-36" />,
)

export function Header() {
  const site = useSite()
  const { path, search } = useAddress()
  const { status, me, awaitsSecondFactor } = useSession()
  const request = useAuthRequest()
  const isProofWanted = useMustReauthenticate()
  const reader = useReader()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isContactOpen, setContactOpen] = useState(false)
  const askFor = (view: AuthRequest['view']) =>
    askToSignIn({ view, redirect: search ? `${path}?${search}` : path })
  // These two pages have their own search box.
  const hasField =
    site.flags.enableCompanies &&
    path !== '/' &&
    path !== '/companies' &&
    maySee('seeCompanySearch', me)

  return (
    <header className="fixed inset-x-0 top-0 z-40 h-header border-b border-line bg-paper/95 backdrop-blur-sm supports-backdrop-filter:bg-paper/80">
      <div className="mx-auto flex h-full max-w-6xl items-center gap-2 px-4 md:gap-3 md:px-5 lg:gap-5">
        <a
          href="/"
          aria-label={`${site.siteName}, home`}
          className="-ml-1 flex min-w-0 rounded-md p-1 whitespace-nowrap"
        >
          <Wordmark name={site.siteName} logo={site.logo} />
        </a>
        <nav aria-label="Main" className="hidden shrink-0 md:block">
          <ul className="flex items-center gap-1">
            {navigationEntries(site, me).map(({ href, name }) => (
              <li key={href} className={entryClasses(href)}>
                <a
                  href={href}
                  aria-current={isCurrentEntry(href, path) ? 'page' : undefined}
                  className={cx(
                    'inline-flex h-9 items-center rounded-md px-2 text-sm font-medium transition-colors lg:px-3',
                    isCurrentEntry(href, path)
                      ? 'bg-tea-soft text-tea-strong'
                      : 'text-ink-soft hover:bg-sunken hover:text-ink',
                  )}
                >
                  {name}
                </a>
              </li>
            ))}
            <li className="no-js:hidden">
              <MenuButton
                preload={AboutMenu.preload}
                className="gap-1 px-3 text-ink-soft max-xl:px-2"
                menu={(popup) => <AboutMenu {...popup} onContact={() => setContactOpen(true)} />}
              >
                <span className="max-xl:sr-only">About</span>
                <Icon of={Ellipsis} className="xl:hidden" />
                <Icon of={ChevronDown} className="opacity-60 max-xl:hidden" />
              </MenuButton>
            </li>
          </ul>
        </nav>
        <div className="flex flex-1 items-center justify-end gap-1 lg:gap-2">
          {/* First in the row, so nothing shifts when it appears. */}
          {me?.can.includes('moderate') && (
            <WaitingLink
              href={me.can.includes('openAdminPanel') ? '/admin-panel' : '/admin/moderation'}
            />
          )}
          <HeaderSearch hasField={hasField} />
        </div>
        {/* Until we know the reader, we show it if the browser has an account's or a visitor's data, so nothing shifts. */}
        {site.flags.enableNotifications && reader !== null && (
          <div
            className={cx(
              'size-10 shrink-0 no-js:hidden md:-mr-4',
              reader === undefined && 'hidden has-bell:block',
            )}
          >
            {reader ? <Bell reader={reader} /> : <BellLink />}
          </div>
        )}
        <ThemeToggle className="max-md:hidden no-js:hidden" />
        <div className="flex min-w-40 shrink-0 items-center justify-end gap-2 lg:min-w-44 max-md:hidden no-js:hidden">
          {status === 'loading' && <Skeleton className="h-9 w-36" />}
          {status === 'signed-out' && (
            <>
              <Skeleton className="absolute hidden h-9 w-36 known:block" />
              <Button
                variant="ghost"
                className="known:invisible"
                {...AuthDialog.preload}
                onClick={() => askFor('login')}
              >
                Log in
              </Button>
              <Button
                className="known:invisible"
                {...AuthDialog.preload}
                onClick={() => askFor('signup')}
              >
                Sign up
              </Button>
            </>
          )}
          {status === 'signed-in' && <UserButton />}
        </div>
        <IconButton
          label="Open menu"
          hasTooltip={false}
          className="md:hidden"
          popoverTarget={QUICK_MENU}
          {...MobileMenu.preload}
          onClick={(event) => {
            event.preventDefault()
            setMenuOpen(true)
          }}
        >
          <Icon of={Menu} />
        </IconButton>
        <QuickMenu key={path} path={path} />
      </div>
      <LoadBar path={path} />
      <MobileMenu
        open={isMenuOpen}
        onOpenChange={setMenuOpen}
        onAuth={(view) => {
          setMenuOpen(false)
          askFor(view)
        }}
        onContact={() => {
          setMenuOpen(false)
          setContactOpen(true)
        }}
      />
      <ContactDialog open={isContactOpen} onOpenChange={setContactOpen} />
      <AuthDialog
        open={request !== undefined || awaitsSecondFactor === true}
        request={request}
        onOpenChange={(open) => open || askToSignIn()}
      />
      <ReauthenticationDialog
        open={isProofWanted}
        onOpenChange={(open) => open || endReauthentication(false)}
      />
    </header>
  )
}

/** The bell, before its code is here. */
function BellLink() {
  return (
    <a
      href="/notifications"
      aria-label="Notifications"
      className="inline-flex size-10 items-center justify-center rounded-md text-ink-soft"
    >
      <Icon of={BellShape} className="size-[1.125rem]" />
    </a>
  )
}

const QUICK_MENU = 'quick-menu'

/** A phone's menu without scripts, or until they're here. With scripts, the button opens the drawer instead. */
function QuickMenu({ path }: { path: string }) {
  const site = useSite()
  const { me } = useSession()
  return (
    <nav
      id={QUICK_MENU}
      popover="auto"
      aria-label="Quick menu"
      className="inset-x-4 top-[calc(var(--spacing-header)+0.5rem)] bottom-auto m-0 w-auto rounded-xl border border-line bg-surface p-4 text-ink shadow-popup md:hidden"
    >
      {site.flags.enableCompanies && maySee('seeCompanySearch', me) && (
        <form action="/companies" className="flex gap-2 employer:hidden">
          <input
            type="search"
            name="search"
            aria-label="Find a company"
            placeholder={SEARCH_TEXTS.placeholder}
            maxLength={SEARCH_MAX_CHARACTERS}
            className={`${controlClasses} h-11 min-w-0`}
          />
          <Button type="submit" variant="secondary">
            {SEARCH_TEXTS.search}
          </Button>
        </form>
      )}
      <ul className="mt-2">
        {[{ href: '/', name: 'Home' }, ...navigationEntries(site, me)].map(({ href, name }) => (
          <li key={href} className={entryClasses(href)}>
            <a
              href={href}
              aria-current={path === href ? 'page' : undefined}
              className="flex min-h-11 items-center font-medium"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
      <ul className="mt-2 flex flex-wrap gap-x-5 border-t border-line pt-2 text-sm">
        {SITE_PAGES.map(({ href, short }) => (
          <li key={href}>
            <a href={href} className="inline-flex min-h-11 items-center text-ink-soft">
              {short}
            </a>
          </li>
        ))}
      </ul>
      <NeedsScripts className="mt-2">Logging in needs JavaScript.</NeedsScripts>
    </nav>
  )
}

const Finder = lazyDialog(() => import('../finder/ui/finder.tsx').then((it) => it.Finder))

/**
 * The only search: a field if there's room for 240 px, or else a button. Both open the finder, which takes over what's
 * typed. Without scripts, the field is a form.
 */
function HeaderSearch({ hasField }: { hasField: boolean }) {
  const isOpen = useFinder()
  const isSlashOn = useSlash()
  const typed = useFinderText()
  // While an input method composes, the focus stays here.
  const [composed, setComposed] = useState('')
  const open = (text?: string) => {
    showFinder(true)
    setComposed('')
    if (text) typeInFinder(text)
  }
  const opens = {
    'aria-label': 'Find anything',
    'aria-keyshortcuts': 'Control+K Meta+K /',
    'aria-haspopup': 'dialog' as const,
    ...Finder.preload,
    onClick: () => open(),
  }
  return (
    <>
      {hasField && (
        <search className="w-full max-w-sm min-w-60 max-[70rem]:hidden employer:hidden">
          <form
            action="/companies"
            className="relative"
            onSubmit={(event) => {
              event.preventDefault()
              open(isOpen ? typed : composed)
              enterEarly()
            }}
          >
            <Icon
              of={Search}
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
            />
            <input
              {...opens}
              name="search"
              dir="auto"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="search"
              placeholder={SEARCH_TEXTS.placeholder}
              maxLength={SEARCH_MAX_CHARACTERS}
              value={isOpen ? typed : composed}
              onChange={({ target: { value }, nativeEvent }) => {
                if (!isOpen && (nativeEvent as InputEvent).isComposing) setComposed(value)
                else open(value)
              }}
              onCompositionEnd={(event) => open(event.currentTarget.value)}
              onKeyDown={(event) => event.key === 'ArrowDown' && open()}
              className="h-10 w-full rounded-md border border-line-strong bg-surface pr-10 pl-9 text-sm text-ink transition-colors placeholder:text-ink-faint hover:border-ink-soft focus-visible:border-tea focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-tea/40"
            />
            {isSlashOn && (
              <span
                aria-hidden="true"
                className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 rounded border border-line-strong/60 px-1.5 font-sans text-xs text-ink-soft no-js:hidden"
              >
                /
              </span>
            )}
          </form>
        </search>
      )}
      <IconButton
        label="Find anything"
        {...opens}
        aria-expanded={isOpen}
        className={cx(
          'no-js:hidden md:-mr-4',
          hasField && 'min-[70rem]:hidden min-[70rem]:employer:inline-flex',
        )}
      >
        <Icon of={Search} />
      </IconButton>
      <Finder open={isOpen} onOpenChange={showFinder} />
    </>
  )
}
