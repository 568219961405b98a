/** The site's settings. They come with every page and never change meanwhile. */
import { createContext, useContext } from 'react'
import type { SiteConfig } from './site.contract.ts'

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
