/**
 * What stands at the lower edge of every page and is nobody's first concern: the cookie banner, the update
 * badge, and what follows from the banner's answer. Loaded once the page is.
 */
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useSite } from '../../../session/site.data.ts'
import { useAddress } from '../../../ui/address.ts'
import { startAnalytics } from '../../consent/analytics.data.ts'
import { ConsentBanner } from '../../consent/ui/consent-banner.tsx'
import { UpdateBadge } from '../../updates/ui/update-badge.tsx'
import { watchInput } from '../../updates/unsaved-input.data.ts'
import { startUpdates, type Updates } from '../../updates/updates.data.ts'
import { keepToastsClear } from './toast-room.ts'

/** The banner comes first for who goes by keyboard, the badge last. */
export function Dock() {
  const { fallbackUrl } = useSite()
  const updates = useUpdates()
  useAnalytics()
  useEffect(keepToastsClear, [])
  return (
    <>
      <ConsentBanner />
      {updates &&
        createPortal(<UpdateBadge updates={updates} fallbackUrl={fallbackUrl} />, document.body)}
    </>
  )
}

function useUpdates() {
  const { build } = useSite()
  const [updates, setUpdates] = useState<Updates>()
  useEffect(() => {
    const words = watchInput()
    const started = startUpdates({
      own: build,
      isSafe: words.isSafe,
      reload: () => location.reload(),
    })
    setUpdates(started)
    return () => {
      started.stop()
      words.stop()
    }
  }, [build])
  return updates
}

function useAnalytics() {
  const { analyticsId } = useSite()
  const { path } = useAddress()
  const [analytics, setAnalytics] = useState<ReturnType<typeof startAnalytics>>()
  useEffect(() => {
    if (!analyticsId) return
    const started = startAnalytics(analyticsId)
    setAnalytics(started)
    return started.stop
  }, [analyticsId])
  useEffect(() => analytics?.countPage(path), [analytics, path])
}
