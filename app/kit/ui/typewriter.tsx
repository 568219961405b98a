/**
 * Text that types itself. Spec §2.5, §9. One span per letter, shown by app.css's `.typewriter` without any script.
 * Screen readers, the layout, and people with reduced motion get the whole text immediately.
 */
export function Typewriter({ text }: { text: string }) {
  return (
    <span className="typewriter">
      {Array.from(text, (letter, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a letter is its index
        <span key={index}>{letter}</span>
      ))}
    </span>
  )
}
