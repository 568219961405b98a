/** Spec §4, §8. */
import { useEffect, useRef, useState } from 'react'
import { toast } from '#app/kit/ui/toast.ts'
import { runScraper } from '../scraping.data.ts'
import {
  SCRAPER_FAILED,
  SCRAPER_STARTED,
  type ScraperResult,
  type ScraperState,
  scraperCompleted,
} from '../scraping.ts'

export interface Scraper {
  state: ScraperState
  /** Undefined until the list is known. */
  found: number | undefined
  results: ScraperResult[]
  message: string
  run: () => Promise<void>
}

const NOTHING = { found: undefined, results: [], message: '' }

/** @param onDone gets the results of a successful run */
export function useScraper(onDone: (results: ScraperResult[]) => void): Scraper {
  const [shown, setShown] = useState<Omit<Scraper, 'run'>>({ state: 'idle', ...NOTHING })
  const going = useRef<AbortController>(undefined)
  // Leaving the page aborts the run on the server too.
  useEffect(() => () => going.current?.abort(), [])

  async function run() {
    const stop = new AbortController()
    going.current = stop
    setShown({ state: 'loading', ...NOTHING })
    toast(SCRAPER_STARTED)
    const fail = (message: string) => {
      if (stop.signal.aborted) return
      setShown((now) => ({ ...now, state: 'error', message }))
      toast({ title: SCRAPER_FAILED, description: message, variant: 'destructive' })
    }
    try {
      const { results, error } = await runScraper({
        signal: stop.signal,
        onFound: (found) => setShown((now) => ({ ...now, found })),
        onResult: (result) => setShown((now) => ({ ...now, results: [...now.results, result] })),
      })
      if (error !== null) return fail(error)
      setShown({ state: 'success', found: results.length, results, message: '' })
      toast(scraperCompleted(results.length))
      onDone(results)
    } catch (error) {
      fail((error as Error).message)
    }
  }
  return { ...shown, run }
}
