/** What the head of a person's own page says: nothing for search engines. */
import { useSite } from './site.data.ts'

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
