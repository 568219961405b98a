/** The site's settings, and what shows them. Settings come with every page and don't change while it's open. */
import { type ComponentProps, createContext, useContext } from 'react'
import type { SiteConfig } from './session.contract.ts'

const SiteContext = createContext<SiteConfig | undefined>(undefined)
export const SiteProvider = SiteContext.Provider

const ReachContext = createContext((href: string): string | undefined => href)
export const ReachProvider = ReachContext.Provider

/** Returns a site address, or undefined if its part is switched off. Spec §1. */
export const useReach = () => useContext(ReachContext)

export function useSite(): SiteConfig {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteProvider above it')
  return site
}

/** A link that becomes plain text if its part of the site is switched off. Spec §1. */
export function SiteLink({ href, children, ...props }: ComponentProps<'a'>) {
  const reach = useReach()
  return (
    <a {...props} href={href && reach(href)}>
      {children}
    </a>
  )
}

/** The head of a personal page, which search engines skip. */
export function PageHead({ title, text }: { title: string; text: string }) {
  const { siteName } = useSite()
  return (
    <>
      <title>{`${title} – ${siteName}`}</title>
      <meta name="description" content={text} />
      <meta name="robots" content="noindex" />
    </>
  )
}
