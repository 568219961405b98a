/** Text that types itself. Spec §2.5, §9. */

/**
 * A letter in each span: the styles show one after the other (`.typewriter` in app.css), from the first paint on and
 * without waiting for any script. The whole text is in the page from the start – screen readers and the layout
 * have it at once – and is visible at once without JavaScript and under reduced motion.
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
