/**
 * Text that types itself. Spec §2.5, §9. One span per letter, shown by app.css's `.typewriter` without any script.
 * Screen readers, the layout, and people with reduced motion have the whole text at once.
 */
export function Typewriter({ text }: { text: string }) {
  return (
    <span className="typewriter">
      {Array.from(text, (letter, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a letter is its place
        <span key={place}>{letter}</span>
      ))}
    </span>
  )
}
