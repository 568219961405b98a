/** The site's own settings in the browser: they come with every page and never change meanwhile. */
import { createContext, useContext } from 'react'
import type { SiteConfig } from './site.contract.ts'

const SiteContext = createContext<SiteConfig | undefined>(undefined)
export const SiteProvider = SiteContext.Provider

const ReachContext = createContext((href: string): string | undefined => href)
export const ReachProvider = ReachContext.Provider

/** Answers an address of the site if its part is switched on, so that what is off is text and no link. Spec §1. */
export const useReach = () => useContext(ReachContext)

/** Name, address and flags of this site. */
export function useSite(): SiteConfig {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteProvider above it')
  return site
}
