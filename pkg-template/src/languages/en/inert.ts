/** The labels of content that is shown without its editor. */

export const inert = {
  image: (alt: string) => (alt ? `Image: ${alt}` : "Image"),
  custom: (name: string) => `Custom content: ${name}`,
};
