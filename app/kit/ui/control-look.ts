/** The look of every box that takes text, in app.css. */
export const controlLook = 'control'
