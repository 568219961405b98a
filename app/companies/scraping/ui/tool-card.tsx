import type { ReactNode } from 'react'

export function ToolCard({ id, title, text, children }: ToolCardProps) {
  return (
    <section
      aria-labelledby={id}
      className="min-w-0 rounded-xl border border-line bg-surface p-5 md:p-6"
    >
      <h2 id={id} className="font-serif text-2xl">
        {title}
      </h2>
      <p className="mt-2 max-w-prose text-sm leading-6 text-ink-soft">{text}</p>
      <div className="mt-4">{children}</div>
    </section>
  )
}

interface ToolCardProps {
  id: string
  title: string
  text: string
  children: ReactNode
}
