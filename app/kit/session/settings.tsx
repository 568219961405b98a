/** Where people manage their account. Runs in the browser too, so no I/O here. */

import { type ReactNode, useEffect, useRef } from 'react'
import type { Flag } from '#app/platform/operations/flags.ts'

/** Accounts need this page even if settings are off: second step, acting for a company, export, deletion. */
export const settingsEntry = ({ enableSettings }: SettingsFlags) =>
  enableSettings
    ? { href: '/settings', name: 'Settings' }
    : { href: '/settings/account', name: 'Your account' }

export const settingsPath = (flags: SettingsFlags) => settingsEntry(flags).href

type SettingsFlags = Pick<Record<Flag, boolean>, 'enableSettings'>

/** A titled part of the settings. Its id is its fragment: `/settings#account`. */
export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // It wasn't there yet when the browser looked for the URL's fragment.
    if (location.hash === `#${id}`) section.current?.scrollIntoView()
  }, [id])
  return (
    <section ref={section} id={id} aria-labelledby={`${id}-title`}>
      <h2
        id={`${id}-title`}
        className="font-serif text-2xl font-medium tracking-tight text-balance text-ink"
      >
        {title}
      </h2>
      {text && <p className="mt-1.5 text-sm leading-6 text-pretty text-ink-soft">{text}</p>}
      <div className="mt-4 rounded-xl border border-line bg-surface p-5 shadow-card md:p-6">
        {children}
      </div>
    </section>
  )
}

interface SettingsSectionProps {
  id: string
  title: string
  text?: ReactNode
  children: ReactNode
}
