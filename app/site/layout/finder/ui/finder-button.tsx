/** The button that opens the finder, in the header at every width. */
import { TextSearch } from 'lucide'
import { IconButton } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { showFinder, useFinder, useSlash } from '../finder.data.ts'

const Finder = lazyDialog(() => import('./finder.tsx').then((it) => it.Finder))

export function FinderButton() {
  const isOpen = useFinder()
  const isSlashOn = useSlash()
  return (
    <>
      <IconButton
        label="Find anything"
        aria-keyshortcuts="Control+K Meta+K /"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="gap-2 no-js:hidden md:-mr-4 xl:w-auto xl:px-2.5"
        {...Finder.preload}
        onClick={() => showFinder(true)}
      >
        <Icon of={TextSearch} />
        {isSlashOn && (
          <kbd className="rounded border border-line-strong/60 px-1.5 font-sans text-xs max-xl:hidden">
            /
          </kbd>
        )}
      </IconButton>
      <Finder open={isOpen} onOpenChange={showFinder} />
    </>
  )
}
