/** Spec §2.1, §3. */
import { Bell, BellRing, ChevronRight, type IconNode, NotebookPen, Pencil, Settings } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { AccountContract } from '#app/identity/accounts/account.contract.ts'
import { Avatar } from '#app/identity/accounts/ui/avatar.tsx'
import { USERNAME_MAX, USERNAME_MIN, usernameProblem } from '#app/identity/accounts/username.ts'
import { useForm } from '#app/kit/forms/form.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { type Member, MembersOnly } from '#app/kit/session/members-only.tsx'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { settingsEntry } from '#app/kit/session/settings.tsx'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { TextField } from '#app/kit/ui/field.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { setUsername } from './account.data.ts'

export default function ProfileScreen() {
  return (
    <>
      <PageHead
        title="Profile"
        text="Your username, your cred, and links to everything you’ve posted or saved."
      />
      <MembersOnly
        title="Your profile"
        text="Your username, your cred, and links to everything you’ve posted or saved. Log in to see them."
      >
        {(me) => <OwnProfile me={me} />}
      </MembersOnly>
    </>
  )
}

function OwnProfile({ me: { profile } }: { me: Member }) {
  const links = linksOf(useSite())
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
        Only you can see this page. Your posts show a pseudonym unless you choose your username.
      </p>
      {links.length > 0 && (
        <nav aria-label="Your pages" className="mt-8">
          <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
            {links.map(({ href, name, text, icon }) => (
              <li key={href}>
                <a
                  href={href}
                  className="flex items-center gap-4 px-4 py-4 transition-colors hover:bg-sunken md:px-5"
                >
                  <Icon of={icon} className="size-5 shrink-0 text-ink-faint" />
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold text-ink">{name}</span>
                    <span className="block text-sm leading-6 text-ink-soft">{text}</span>
                  </span>
                  <Icon of={ChevronRight} className="size-4 shrink-0 text-ink-faint" />
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

const linksOf = ({ flags }: SiteConfig): ProfileLink[] =>
  [
    flags.enableDiscussions && {
      href: '/my-discussions',
      name: 'My discussions',
      text: 'Your threads, comments, saved threads, drafts and ratings.',
      icon: NotebookPen,
    },
    flags.enableNotifications && {
      href: '/notifications',
      name: 'Notifications',
      text: 'Replies, mentions, and updates from companies you follow.',
      icon: Bell,
    },
    flags.enableAlerts && {
      href: '/alerts',
      name: 'Alerts',
      text: 'Companies you follow.',
      icon: BellRing,
    },
    {
      ...settingsEntry(flags),
      text: flags.enableSettings
        ? 'Your email, your password, your data.'
        : 'Your data, and deleting your account.',
      icon: Settings,
    },
  ].filter((link) => link !== false)

interface ProfileLink {
  href: string
  name: string
  text: string
  icon: IconNode
}

/** A heading with the username, and a form to change it in place. Spec §3. */
function UsernameEditor({ username }: { username: string }) {
  const [isEditing, setEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const hasEdited = useRef(false)
  useEffect(() => {
    // Closing the form lost the focus.
    if (!isEditing && hasEdited.current) pencil.current?.focus()
    hasEdited.current = isEditing
  }, [isEditing])
  return (
    <>
      <div className="flex items-center justify-center gap-1.5 md:justify-start">
        <h1 className="min-w-0 font-serif text-4xl leading-tight font-medium tracking-tight text-ink">
          {username}
        </h1>
        {!isEditing && (
          <IconButton ref={pencil} label="Change username" onClick={() => setEditing(true)}>
            <Icon of={Pencil} />
          </IconButton>
        )}
      </div>
      {isEditing && <UsernameForm username={username} onClose={() => setEditing(false)} />}
    </>
  )
}

function UsernameForm({ username, onClose }: { username: string; onClose: () => void }) {
  const api = useApi<AccountContract>()
  const [wanted, setWanted] = useState(username)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const { form, errors, isBusy } = useForm<'username'>({
    check: () => ({ username: usernameProblem(wanted.trim()) }),
    send: async () => {
      const fresh = wanted.trim()
      if (fresh === username) return onClose()
      try {
        await setUsername(api, fresh)
      } catch (error) {
        return { username: errorSentence(error) }
      }
      toast({ title: 'Username changed', description: `You’re now ${fresh}.` })
      onClose()
    },
  })
  return (
    <form
      {...form}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="mt-4 grid gap-3 text-left sm:max-w-sm"
    >
      <TextField
        ref={input}
        label="Username"
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={`${USERNAME_MIN} to ${USERNAME_MAX} letters, digits, "_" or "-"`}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        error={errors.username}
      />
      <div className="flex gap-3">
        <Button type="submit" busy={isBusy} busyLabel="Saving...">
          Save
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
