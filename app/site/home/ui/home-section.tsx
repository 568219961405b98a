import type { ReactNode } from 'react'

export const HomeSection = ({ id, title, className, children }: HomeSectionProps) => (
  <section aria-labelledby={id} className={className}>
    <div className="mx-auto max-w-6xl px-5 pb-12 md:pb-16">
      <h2
        id={id}
        className="mb-6 font-serif text-2xl font-medium tracking-tight text-balance md:text-3xl"
      >
        {title}
      </h2>
      {children}
    </div>
  </section>
)

interface HomeSectionProps {
  id: string
  title: string
  className?: string
  children: ReactNode
}
