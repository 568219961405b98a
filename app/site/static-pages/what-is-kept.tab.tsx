/** A diagram of what we store: the account, the posts, and no link between them. */
import { type IconNode, KeyRound, MessageSquareText, Star, UserRound } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from '#app/kit/ui/icon.tsx'

export default function WhatIsKept() {
  return (
    <figure className="rounded-xl border border-line bg-surface p-4 shadow-card md:p-6">
      <div className="grid items-center gap-3 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <Kept icon={UserRound} title="Your account">
          <li>email, encrypted</li>
          <li>password, as a hash</li>
          <li>a username</li>
          <li>the month you signed up</li>
        </Kept>
        <NoLine />
        <div className="grid gap-3">
          <Kept icon={MessageSquareText} title="Each of your posts">
            <li>your words</li>
            <li>your name in this thread</li>
            <li>the minute</li>
          </Kept>
          <Kept icon={Star} title="Each of your ratings">
            <li>your stars and your note</li>
            <li>the month</li>
          </Kept>
        </div>
      </div>
      <figcaption className="mt-4 flex items-start gap-2.5 border-t border-line pt-4 text-sm leading-6 text-ink-soft">
        <Icon of={KeyRound} className="mt-1 size-4 shrink-0 text-tea" />
        Only a key kept outside our database can connect your account to your posts. For your
        ratings, there’s no such key.
      </figcaption>
    </figure>
  )
}

function Kept({ icon, title, children }: KeptProps) {
  return (
    <section className="rounded-lg bg-sunken px-4 py-3">
      <h3 className="flex items-center gap-2 text-[0.9375rem] font-semibold text-ink">
        <Icon of={icon} className="size-4 shrink-0 text-tea" />
        {title}
      </h3>
      <ul className="mt-1.5 list-disc space-y-2 pl-5 text-sm leading-6 text-ink-soft marker:text-tea [&>li]:pl-1">
        {children}
      </ul>
    </section>
  )
}

/** A dashed line, vertical on wide pages. */
const NoLine = () => (
  <div className="flex items-center gap-2 text-line-strong sm:h-full sm:flex-col" aria-hidden>
    <span className="h-0 flex-1 border-t border-dashed border-current sm:h-auto sm:border-t-0 sm:border-l" />
    <span className="text-xs font-medium whitespace-nowrap text-ink-faint">no line</span>
    <span className="h-0 flex-1 border-t border-dashed border-current sm:h-auto sm:border-t-0 sm:border-l" />
  </div>
)

interface KeptProps {
  icon: IconNode
  title: string
  children: ReactNode
}
