/** Somebody's own profile: the name that it shows, and what it has written. Spec §2.1, §3. */

import { type IconNode, MessageSquareText, MessagesSquare } from 'lucide'
import type { ComponentType, ReactNode } from 'react'
import { type Member, MembersOnly } from '../../session/members-only.tsx'
import { PageHead } from '../../session/page-head.tsx'
import { useSite } from '../../session/site.data.ts'
import { dateText } from '../../ui/date-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Avatar } from '../accounts/ui/avatar.tsx'
import { OwnComments, OwnThreads } from '../discussions/posts/ui/own-posts.tsx'
import { UsernameEditor } from './ui/username-editor.tsx'

export default function ProfileScreen() {
  return (
    <>
      <PageHead title="Profile" text="Your username, your cred, and what you have written." />
      <MembersOnly
        title="Your profile"
        text="A username, and what you have written under it or under none. Log in to see yours."
      >
        {(me) => <OwnProfile me={me} />}
      </MembersOnly>
    </>
  )
}

function OwnProfile({ me: { profile } }: { me: Member }) {
  const { flags } = useSite()
  return (
    <div className="mx-auto w-full max-w-2xl px-5 py-12 md:py-16">
      <header className="flex flex-col items-center gap-6 text-center md:flex-row md:items-start md:text-left">
        <Avatar name={profile.username} className="size-24 font-serif text-3xl" />
        <div className="min-w-0 flex-1">
          <UsernameEditor username={profile.username} />
          <dl className="mt-3 flex flex-wrap justify-center gap-x-8 gap-y-1 text-sm text-ink-soft md:justify-start">
            <div className="flex gap-1.5">
              <dt>Cred</dt>
              <dd className="font-semibold text-ink tabular-nums">{profile.cred}</dd>
            </div>
            <div className="flex gap-1.5">
              <dt>Member since</dt>
              <dd className="font-semibold text-ink">{dateText(profile.memberSince)}</dd>
            </div>
          </dl>
        </div>
      </header>
      <p className="mt-8 border-y border-line py-4 text-sm leading-6 text-ink-soft">
        Only you see this page. What you write shows a pseudonym unless you choose your username.
      </p>
      {flags.enableDiscussions && (
        <>
          <Written
            title="Your threads"
            icon={MessagesSquare}
            text="What you start is listed here."
            of={OwnThreads}
          />
          <Written
            title="Your comments"
            icon={MessageSquareText}
            text="What you answer to others is listed here."
            of={OwnComments}
          />
        </>
      )}
    </div>
  )
}

function Written({ title, icon, text, of: Posts }: WrittenProps) {
  const id = title.replace(' ', '-').toLowerCase()
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="font-serif text-2xl font-medium tracking-tight">
        {title}
      </h2>
      <div className="mt-4">
        <Posts
          empty={
            <div className="flex items-center gap-4 rounded-lg border border-dashed border-line px-5 py-6">
              <Icon of={icon} className="size-6 shrink-0 text-ink-faint" strokeWidth={1.5} />
              <p className="text-sm leading-6 text-ink-soft">
                <strong className="block font-semibold text-ink">Nothing written yet</strong>
                {text}
              </p>
            </div>
          }
        />
      </div>
    </section>
  )
}

interface WrittenProps {
  title: string
  icon: IconNode
  text: string
  of: ComponentType<{ empty: ReactNode }>
}
