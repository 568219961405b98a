/** The design system in all its states and both themes. Only in development. */

import { ArrowRight, Bell, LogOut, Settings, Sun, Trash2, TrendingUp, User } from 'lucide'
import { type ReactNode, useState } from 'react'
import { Badge, CountBadge, IconCount } from './badge.tsx'
import { Button, buttonClasses, IconButton } from './button.tsx'
import { Carousel } from './carousel.tsx'
import { linkClasses } from './class-names.ts'
import { Combobox } from './combobox.tsx'
import { Checkbox, Select, TextArea, TextField } from './field.tsx'
import { Icon, LogoMark, Wordmark } from './icon.tsx'
import { lazyDialog } from './lazy-component.tsx'
import { MenuButton } from './menu-button.tsx'
import { EmptyState, ErrorState } from './message.tsx'
import { type GrowingList, MoreButton } from './paged-list.tsx'
import { RelativeTime } from './relative-time.tsx'
import { Score, ScoreBar } from './score.tsx'
import { LoadBar, Skeleton, Spinner } from './skeleton.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { toast } from './toast.ts'
import { Typewriter } from './typewriter.tsx'

const SampleDialog = lazyDialog(() => import('./gallery-popups.tsx').then((it) => it.SampleDialog))
const SampleDrawer = lazyDialog(() => import('./gallery-popups.tsx').then((it) => it.SampleDrawer))
const SampleMenu = lazyDialog(() => import('./gallery-popups.tsx').then((it) => it.SampleMenu))

const COUNTS = ['9', '10', '99', '99+', '999+', '1.2K']

const LIST: GrowingList = {
  hasNextPage: true,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage() {},
}

/** Needs a `Toaster` and a `TooltipHost` on the page. */
export function Gallery() {
  return (
    <main className="mx-auto max-w-[100rem]">
      <h1 className="px-6 pt-10 pb-6 font-serif text-4xl font-medium tracking-tight">Gallery</h1>
      <div className="grid lg:grid-cols-2">
        <div className="light min-w-0">
          <Pieces theme="light" />
        </div>
        <div className="dark min-w-0">
          <Pieces theme="dark" />
        </div>
      </div>
    </main>
  )
}

function Pieces({ theme }: { theme: string }) {
  return (
    <div className="grid gap-14 px-6 py-12 md:px-10">
      <h2 className="font-serif text-2xl">In the {theme}</h2>
      <Piece title="Brand">
        <Wordmark name="Kettle" />
        <LogoMark className="size-6" />
        <LogoMark className="size-[7.5rem]" />
      </Piece>
      <Piece title="Type">
        <div className="grid gap-3">
          <p className="font-serif text-5xl font-medium tracking-tight">
            <Typewriter text="Spill the tea" />
          </p>
          <p className="font-serif text-2xl">What is it really like to work there?</p>
          <p className="max-w-prose leading-7 text-ink-soft">
            Search for a company, join anonymous discussions, and share{' '}
            <a href="/about" className={linkClasses}>
              honest insights
            </a>{' '}
            about workplace culture with peers.
          </p>
          <p className="text-sm text-ink-faint">
            Anonymous · <RelativeTime iso="2026-01-15T10:00:00Z" /> · 1.2K views
          </p>
        </div>
      </Piece>
      <Piece title="Colors">
        {COLORS.map(([look, name]) => (
          <span key={name} className={`rounded-md border border-line px-3 py-2 text-xs ${look}`}>
            {name}
          </span>
        ))}
      </Piece>
      <Piece title="Buttons">
        <Button>Log in</Button>
        <Button variant="secondary">Sign up</Button>
        <Button variant="ghost">Cancel</Button>
        <Button variant="danger" icon={<Icon of={Trash2} />}>
          Delete
        </Button>
        <Button variant="link">Forgot your password?</Button>
      </Piece>
      <Piece title="Buttons: sizes, busy, disabled">
        <Button size="sm">Small</Button>
        <Button size="lg">
          Large
          <Icon of={ArrowRight} />
        </Button>
        <Button busy busyLabel="Signing in...">
          Sign in
        </Button>
        <Button variant="secondary" disabled>
          Disabled
        </Button>
        <a href="/companies" className={buttonClasses('secondary')}>
          A link that looks like one
        </a>
        <IconButton label="Settings">
          <Icon of={Settings} />
        </IconButton>
        <ThemeToggle />
      </Piece>
      <Piece title="More of a list">
        <MoreButton list={LIST} />
        <MoreButton list={{ ...LIST, isFetchingNextPage: true }} />
        <MoreButton list={{ ...LIST, isFetchNextPageError: true }} />
        <MoreButton list={LIST} label="Load more" href="/discussions" />
      </Piece>
      <Piece title="Badges">
        <Badge>OP</Badge>
        <Badge tone="tea" icon={<Icon of={TrendingUp} />}>
          Trending
        </Badge>
        <Badge tone="leaf">Approved</Badge>
        <Badge tone="danger">Declined</Badge>
        {COUNTS.map((count) => (
          <CountBadge key={count}>{count}</CountBadge>
        ))}
        {COUNTS.map((count) => (
          <span key={count} className="relative inline-flex size-10 items-center justify-center">
            <Icon of={Bell} className="size-[1.125rem]" />
            <IconCount>{count}</IconCount>
          </span>
        ))}
      </Piece>
      <Piece title="Scores">
        <Score rating={4.25} />
        <Score rating={0} />
        <Score rating={3.8} size="lg" />
        <div className="grid w-full max-w-sm gap-4">
          <ScoreBar label="Work-Life Balance" rating={4.2} />
          <ScoreBar label="Company Culture" rating={2.9} />
          <ScoreBar label="Return-to-Office (RTO) Policy" rating={null} />
        </div>
      </Piece>
      <Piece title="Fields">
        <div className="grid w-full max-w-sm gap-5">
          <TextField label="Email" type="email" placeholder="you@example.com" />
          <TextField
            label="Password"
            type="password"
            placeholder="Password (minimum 6 characters)"
            error="Password must be at least 6 characters"
            defaultValue="tea"
          />
          <TextField label="Website" hint="Optional" disabled placeholder="https://" />
          <Select label="Category" defaultValue="Technology">
            <option>Technology</option>
            <option>Retail</option>
          </Select>
          <TextArea label="Message" placeholder="Your message" />
          <Checkbox label="Notify me when it is added" defaultChecked />
          <Checkbox label="Analytics" hint="Helps us see which pages are read." />
        </div>
      </Piece>
      <Piece title="Search">
        <SampleSearch />
      </Piece>
      <Piece title="Opens on a click">
        <SampleOpeners />
      </Piece>
      <Piece title="Waiting">
        <Spinner />
        <div className="grid w-full max-w-sm gap-2">
          <Skeleton className="h-6 w-2/3" />
          <Skeleton />
          <Skeleton className="h-4 w-5/6" />
        </div>
        <div className="relative h-1 w-full">
          <LoadBar path={theme} />
        </div>
      </Piece>
      <Piece title="Messages">
        <EmptyState
          title="No companies to display"
          text="Be the first to pour a cup: request a company and start the talk."
          action={<Button variant="secondary">Request a company</Button>}
        />
        <ErrorState
          title="Something went wrong"
          text="We're having trouble loading the content. Please try refreshing the page."
          action={<Button>Refresh Page</Button>}
        />
      </Piece>
      <Carousel
        label={`Companies, ${theme}`}
        intervalMs={10_000}
        slides={['Trending Companies', 'Recently Added Companies', 'Highest Rated Companies'].map(
          (title) => ({ key: title, title, content: <SampleCards title={title} /> }),
        )}
      />
    </div>
  )
}

const COLORS = [
  ['bg-paper text-ink', 'paper'],
  ['bg-surface text-ink', 'surface'],
  ['bg-sunken text-ink-soft', 'sunken'],
  ['bg-sunken text-ink-faint', 'ink-faint'],
  ['bg-tea text-on-tea', 'tea'],
  ['bg-tea-soft text-tea', 'tea-soft'],
  ['bg-leaf-soft text-leaf', 'leaf-soft'],
  ['bg-danger text-on-danger', 'danger'],
  ['bg-danger-soft text-danger', 'danger-soft'],
] as const

function Piece({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-4 border-b border-line pb-2 text-sm text-ink-faint">{title}</h3>
      <div className="flex flex-wrap items-center gap-4">{children}</div>
    </section>
  )
}

const NAMES = ['Northwind Teas', 'Norwood & Sons', 'Acme', 'Globex', 'Initech', 'Hooli']

function SampleSearch() {
  const [text, setText] = useState('')
  const found = NAMES.filter((name) => name.toLowerCase().includes(text.toLowerCase()))
  return (
    <Combobox
      className="w-full max-w-xl"
      label="Search for a company"
      placeholder="Search for a company..."
      name="search"
      action="/companies"
      size="lg"
      inputValue={text}
      onInputChange={setText}
      items={found}
      itemKey={(name) => name}
      itemLabel={(name) => name}
      onSelect={(name) => toast({ title: name })}
      onSubmitText={(query) => toast({ title: `/companies?search=${query}` })}
      status={text.length < 2 ? 'idle' : text === 'zz' ? 'loading' : 'ready'}
      loadingText="Searching..."
      emptyText="No companies found matching your search."
      submitButton={
        <Button type="submit" size="lg">
          Search
        </Button>
      }
    />
  )
}

function SampleOpeners() {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" {...SampleDialog.preload} onClick={() => setDialogOpen(true)}>
        Dialog
      </Button>
      <SampleDialog open={isDialogOpen} onOpenChange={setDialogOpen} />
      <Button variant="secondary" {...SampleDrawer.preload} onClick={() => setDrawerOpen(true)}>
        Drawer
      </Button>
      <SampleDrawer open={isDrawerOpen} onOpenChange={setDrawerOpen} />
      <MenuButton
        variant="secondary"
        icon={<Icon of={User} />}
        preload={SampleMenu.preload}
        menu={(popup) => <SampleMenu {...popup} icons={SAMPLE_ICONS} />}
      >
        Menu
      </MenuButton>
      <Button
        variant="secondary"
        onClick={() =>
          toast({
            title: 'Join the conversation!',
            description: '17 employees are mid-rant right now. Join the chaos.',
          })
        }
      >
        Toast
      </Button>
      <Button
        variant="secondary"
        onClick={() => toast({ title: 'Error', description: 'Not saved.', variant: 'destructive' })}
      >
        Failure toast
      </Button>
      <span data-tooltip="The full name, when it was cut" className="text-sm text-ink-soft">
        Hover me
      </span>
    </>
  )
}

const SAMPLE_ICONS = {
  profile: <Icon of={User} />,
  settings: <Icon of={Settings} />,
  theme: <Icon of={Sun} />,
  leave: <Icon of={LogOut} />,
}

function SampleCards({ title }: { title: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {NAMES.slice(0, 4).map((name) => (
        <a
          key={name}
          href={`/${name.toLowerCase()}`}
          className="grid gap-2 rounded-lg border border-line bg-surface p-4 transition-colors hover:border-line-strong"
        >
          <span className="font-serif text-lg">{name}</span>
          <span className="text-sm text-ink-faint">{title}</span>
          <Score rating={4.1} />
        </a>
      ))}
    </div>
  )
}
