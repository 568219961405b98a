/** A page for signed-in people. Visitors are invited to log in. */
import { UserRound } from 'lucide'
import type { ReactNode } from 'react'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { LoadError, NeedsScripts } from '../ui/message.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Me, Profile } from './session.contract.ts'
import { askToSignIn, liveSession, useSession } from './session.data.ts'

export type Member = Me & { profile: Profile }

/** @param children what a member sees. The server renders the visitor's view */
export function MembersOnly({ title, text, children }: MembersOnlyProps) {
  const { status, me } = useSession()
  const { path, search } = useAddress()
  const redirect = search ? `${path}?${search}` : path
  if (status === 'loading') return <MemberSkeleton title={title} />
  if (status === 'signed-out')
    return (
      // The server doesn't know who is signed in. `known` hides this until the browser does.
      <div className="mx-auto mt-[8svh] grid max-w-md justify-items-center px-5 py-20 text-center known:invisible">
        <span className="inline-flex size-16 items-center justify-center rounded-full bg-tea-soft text-tea-strong">
          <Icon of={UserRound} className="size-7" strokeWidth={1.5} />
        </span>
        <h1 className="mt-6 font-serif text-4xl font-medium tracking-tight text-balance text-ink">
          {title}
        </h1>
        <p className="mt-4 leading-relaxed text-pretty text-ink-soft">{text}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3 no-js:hidden">
          <Button size="lg" onClick={() => askToSignIn({ view: 'signup', redirect })}>
            Sign up
          </Button>
          <Button
            size="lg"
            variant="secondary"
            onClick={() => askToSignIn({ view: 'login', redirect })}
          >
            Log in
          </Button>
        </div>
        <NeedsScripts className="mt-8">Logging in needs JavaScript.</NeedsScripts>
      </div>
    )
  if (!me?.profile) return <AccountError />
  return children({ ...me, profile: me.profile })
}

export const AccountError = () => (
  <LoadError
    isPage
    text="Your account didn’t load. Check your connection and try again."
    onRetry={reloadAccount}
  />
)

/** The page already shows a failure. */
export const reloadAccount = () => {
  liveSession()
    .then((live) => live.loadMe())
    .catch(() => {})
}

function MemberSkeleton({ title }: { title: string }) {
  return (
    <div className="mx-auto w-full max-w-2xl px-5 py-12 md:py-16" aria-busy="true">
      <h1 className="sr-only">{title}</h1>
      <Skeleton className="h-12 w-56" />
      <Skeleton className="mt-10 h-40 w-full" />
      <Skeleton className="mt-6 h-40 w-full" />
    </div>
  )
}

interface MembersOnlyProps {
  title: string
  text: string
  children: (me: Member) => ReactNode
}
