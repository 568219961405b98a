/** The thin line under the header that grows to 90 % and is done at about 800 ms. Spec §2.2, §9. */

/** Plays once per `path`. It says nothing to a screen reader and rests under reduced motion. */
export function LoadBar({ path }: { path: string }) {
  return (
    <div
      key={path}
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 top-full h-0.5 overflow-hidden motion-reduce:hidden"
    >
      <div className="h-full origin-left animate-load-bar bg-tea" />
    </div>
  )
}
