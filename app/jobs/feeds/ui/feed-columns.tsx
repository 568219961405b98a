import { Button } from '#app/kit/ui/button.tsx'
import { copyText } from '#app/kit/ui/share.ts'
import { FEED_COLUMNS, FEED_SAMPLES } from '../job-feed.ts'

export const FeedColumns = () => (
  <details className="rounded-xl border border-line bg-surface px-4 py-3 open:pb-5 md:px-5">
    <summary className="cursor-pointer py-1 text-sm font-semibold text-ink">
      Columns and samples
    </summary>
    <p className="mt-2 max-w-prose text-sm leading-6 text-ink-soft">
      The names of schema.org’s JobPosting and of Indeed’s XML work, too. We ignore all others.
    </p>
    <dl className="mt-3 divide-y divide-line border-y border-line text-sm leading-6">
      {FEED_COLUMNS.map(([name, text]) => (
        <div key={name} className="grid gap-x-4 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
          <dt className="font-medium [overflow-wrap:anywhere] text-ink">{name}</dt>
          <dd className="[overflow-wrap:anywhere] text-ink-soft">{text}</dd>
        </div>
      ))}
    </dl>
    {Object.entries(FEED_SAMPLES).map(([format, sample]) => (
      <figure key={format} className="mt-5">
        <figcaption className="flex items-center justify-between gap-3 text-sm font-medium text-ink">
          {format}
          <Button
            variant="ghost"
            size="sm"
            onClick={() => copyText(sample, `${format} sample copied`)}
          >
            Copy<span className="sr-only">{` the ${format} sample`}</span>
          </Button>
        </figcaption>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
          tabIndex={0}
          className="mt-1 max-h-72 overflow-auto rounded-md bg-sunken p-3 text-xs leading-5 text-ink"
        >
          {sample}
        </pre>
      </figure>
    ))}
  </details>
)
