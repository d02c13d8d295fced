package io.sluice.benchmarks.compare;

/** A page of documentation with figures between two marks. Pure. */
final class FiguresPage {
    static final String BEGIN = "<!-- figures: begin -->";
    static final String END = "<!-- figures: end -->";

    private FiguresPage() {}

    /**
     * The page with other figures.
     *
     * @throws IllegalArgumentException if it has not both marks, in this order
     */
    static String with(String page, String figures) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException(
                    "the page has no lines \"" + BEGIN + "\" and \"" + END + "\" in this order");
        }
        return page.substring(0, begin + BEGIN.length()) + "\n" + figures.strip() + "\n" + page.substring(end);
    }
}
