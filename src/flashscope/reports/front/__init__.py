"""The front page of a report: verdict, six numbers, one chart, the inside as a drawing, advice, properties."""
