/** A code that moves the secret to a device that scans it. Load it with `lazyDialog`. */
import { useEffect, useState } from 'react'
import { encode } from 'uqr'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { HANDOVER_S } from '../credential.ts'
import { sealHandover } from '../handover.data.ts'

export function ShowCodeDialog({ open, onOpenChange }: OpenProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Move to another device"
      description="Scan this code with your other device’s camera, then log in there. It works once, within two minutes."
    >
      <Code onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

function Code({ onClose }: { onClose: () => void }) {
  const sessionKey = useSessionKey()
  const [round, setRound] = useState(0)
  const [code, setCode] = useState<{ address?: string; problem?: string; isOver?: true }>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round has a code of its own
  useEffect(() => {
    let isOver = false
    setCode({})
    sealHandover(sessionKey).then(
      (fragment) => !isOver && setCode({ address: `${location.origin}/settings${fragment}` }),
      (error) => !isOver && setCode({ problem: errorSentence(error) }),
    )
    const timer = setTimeout(() => setCode({ isOver: true }), HANDOVER_S * 1_000)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [sessionKey, round])
  const retry = () => setRound((now) => now + 1)
  if (code.problem) return <LoadErrorLine text={code.problem} onRetry={retry} />
  return (
    <div className="grid gap-4">
      {code.address ? (
        <QrCode address={code.address} />
      ) : code.isOver ? (
        <div className="grid aspect-square w-full max-w-64 content-center justify-items-center gap-4 justify-self-center rounded-lg bg-sunken p-6 text-center text-sm leading-6 text-ink-soft">
          <p role="status">This code has expired.</p>
          <Button onClick={retry}>Show a new code</Button>
        </div>
      ) : (
        <Skeleton className="aspect-square w-full max-w-64 justify-self-center rounded-lg" />
      )}
      <p className="text-sm leading-6 text-ink-soft">
        Don’t let anyone else scan it. Your ratings are encrypted, and we can’t read them. No
        camera? Use your twelve words instead.
      </p>
      <Button variant="secondary" onClick={onClose} className="md:justify-self-end">
        Done
      </Button>
    </div>
  )
}

/** Dark on light in both themes, because not every camera reads the reverse. */
function QrCode({ address }: { address: string }) {
  const { data, size } = encode(address, { ecc: 'L', border: 4 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      role="img"
      aria-label="QR code for your other device"
      data-address={address}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-64 justify-self-center rounded-lg bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
