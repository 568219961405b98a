/** A titled part of the settings. Its id is its fragment: `/settings#account`. */
import type { ReactNode } from 'react'

export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
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
