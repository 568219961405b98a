/** The site's own settings in the browser: they come with every page and never change meanwhile. */
import { createContext, useContext } from 'react'
import type { SiteConfig } from './site.contract.ts'

const SiteContext = createContext<SiteConfig | undefined>(undefined)
export const SiteProvider = SiteContext.Provider

/** Name, address and flags of this site. */
export function useSite(): SiteConfig {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteProvider above it')
  return site
}
